import { expect } from 'chai';
import { readSession } from '../src/server.ts';
import {
  AUTH,
  caught,
  failure,
  holdResponse,
  html,
  json,
  session,
  useFakeGateway,
  user,
} from './fake-gateway.ts';

const SESSION = `${AUTH}/session`;
const COOKIE = 'CustomerRefreshToken=first';
const VISITOR = {
  Cookie: `theme=dark; EmployeeRefreshToken=other; ${COOKIE}; CustomerRefreshTokenX=no`,
  Authorization: 'Bearer of-the-site',
  'X-Forwarded-For': '198.51.100.9, 203.0.113.7',
};

describe('session of a request to a server that renders pages', () => {
  const { responders, requests, url } = useFakeGateway();
  const read = (
    headers: Record<string, string>,
    options: { timeoutSeconds?: number; signal?: AbortSignal } = {},
  ) => readSession(new Headers(headers), { gatewayUrl: `${url()}/`, kind: 'customer', ...options });

  const status = async (headers: Record<string, string>, timeoutSeconds?: number) =>
    (await read(headers, timeoutSeconds === undefined ? {} : { timeoutSeconds })).status;

  it('is read with only the refresh cookie of the kind and the address of the visitor', async () => {
    let sent: Record<string, unknown> = {};
    responders.set(SESSION, (response, request) => {
      sent = request.headers;
      json(200, { user, session })(response, request);
    });
    expect(await read(VISITOR)).to.deep.equal({ status: 'signed-in', user, session });
    expect(sent).to.include({ cookie: COOKIE, 'x-forwarded-for': VISITOR['X-Forwarded-For'] });
    expect(sent).not.to.have.any.keys('authorization', 'x-fingerprint', 'x-session-id');
  });

  it('is read for each request', async () => {
    const other = { ...user, email: 'bob@example.com' };
    responders.set(SESSION, (response, request) =>
      json(200, { user: request.headers.cookie === COOKIE ? user : other, session })(response, request),
    );
    expect((await read(VISITOR)).user).to.deep.equal(user);
    expect((await read({ Cookie: 'CustomerRefreshToken=second' })).user).to.deep.equal(other);
    responders.set(SESSION, failure(401, 'TOKEN_INVALID'));
    expect(await status(VISITOR)).to.equal('signed-out');
  });

  it('is signed out without a request if the visitor has no refresh cookie of the kind', async () => {
    for (const headers of [{}, { Cookie: 'EmployeeRefreshToken=other' }])
      expect(await status(headers)).to.equal('signed-out');
    expect(requests).to.deep.equal([]);
  });

  for (const code of ['TOKEN_INVALID', 'USER_BLOCKED'])
    it(`is signed out after 401 ${code}`, async () => {
      responders.set(SESSION, failure(401, code));
      expect(await status(VISITOR)).to.equal('signed-out');
    });

  it('is unknown after every other response', async () => {
    const others = [
      failure(429, 'RATE_LIMITED'),
      failure(503, 'SERVICE_UNAVAILABLE'),
      html(200),
      html(401),
      (response: { destroy: () => unknown }) => void response.destroy(),
    ];
    for (const responder of others) {
      responders.set(SESSION, responder);
      expect(await status(VISITOR)).to.equal('unknown');
    }
  });

  it('is unknown after the timeout, and rejects when the signal is aborted', async () => {
    const { responder, requested, closed } = holdResponse(json(200, { user, session }));
    responders.set(SESSION, responder);
    const [controller, reason] = [new AbortController(), new Error('The visitor has left')];
    const call = caught(read(VISITOR, { signal: controller.signal }));
    await requested;
    controller.abort(reason);
    expect(await call).to.equal(reason);
    await closed;
    expect(await status(VISITOR, 0.05)).to.equal('unknown');
  });
});
