import { expect } from 'chai';
import { completeSignIn } from '../src/account.ts';
import { createMemoryStorage } from '../src/device.ts';
import { isPlatformError } from '../src/platform-error.ts';
import {
  AUTH,
  CREDENTIALS,
  caught,
  failed,
  failure,
  json,
  session,
  useFakeGateway,
  user,
} from './fake-gateway.ts';

const CHALLENGE = 'zD0b8mQxW3qvYJm0h1w7c2l5X9eKs4uTfRgBnVaPyHo';

describe('client sign-in with a second step', () => {
  const { responders, createClient, listRequests } = useFakeGateway();
  const stepPath = `${AUTH}/sign-in/second-factor`;
  beforeEach(() => {
    const required = { statusCode: 401, error: 'Unauthorized', message: 'Second factor required' };
    const body = { ...required, code: 'SECOND_FACTOR_REQUIRED', requestId: 'r-1' };
    responders.set(
      `${AUTH}/sign-in`,
      json(401, { ...body, challenge: CHALLENGE, factors: ['totp', 'recovery-code'] }),
    );
    responders.set(stepPath, json(200, { token: 'first', user, session }));
  });

  it('rejects with the challenge and the factors, and stores the session after the second step', async () => {
    const sent: Request[] = [];
    const record = (request: Request) => {
      sent.push(request.clone());
      return fetch(request);
    };
    const storage = createMemoryStorage();
    const [client, other] = [createClient({ storage, fetch: record }), createClient({ storage })];
    const error = await caught(client.signIn(CREDENTIALS));
    if (!isPlatformError(error, 'SECOND_FACTOR_REQUIRED')) throw error;
    expect(error).to.include({ challenge: CHALLENGE, status: 401, requestId: 'r-1' });
    expect(error.factors).to.deep.equal(['totp', 'recovery-code']);
    expect(client.getSnapshot().status).to.equal('signed-out');

    const step = { challenge: error.challenge, totpCode: '042917' };
    expect(await completeSignIn(client, step)).to.deep.equal({ user, session });
    expect(await sent.at(-1)?.json()).to.deep.equal(step);
    const [first, second] = sent.map(({ headers }) => headers.get('X-Fingerprint'));
    expect(second)
      .to.equal(first)
      .and.to.match(/^\w{32}$/);
    for (const tab of [client, other])
      expect(tab.getSnapshot()).to.deep.equal({ status: 'signed-in', user, session });
    client.close();
    other.close();
  });

  for (const code of ['SECOND_FACTOR_INVALID', 'CHALLENGE_INVALID'])
    it(`stays signed out after ${code}, without a refresh`, async () => {
      responders.set(stepPath, failure(401, code));
      const client = createClient();
      const step = { challenge: CHALLENGE, recoveryCode: 'k3v7-2qpa' };
      expect(await failed(completeSignIn(client, step))).to.equal(code);
      expect(client.getSnapshot().status).to.equal('signed-out');
      expect(listRequests()).to.deep.equal([`POST ${stepPath}`]);
    });
});
