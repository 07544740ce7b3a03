import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { completeSignIn } from '../src/account.ts';
import { createMemoryStorage } from '../src/device.ts';
import * as oidc from '../src/oidc.ts';
import { CREDENTIALS, failed, failure, json, noContent, useFakeGateway, user } from './fake-gateway.ts';

const AUTH = '/customers/auth';
const session = { id: '5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11', updatedAt: '2026-12-04T00:00:00.000Z' };
const CHALLENGE = 'zD0b8mQxW3qvYJm0h1w7c2l5X9eKs4uTfRgBnVaPyHo';
const CLOSED = { status: 'signed-out', user: undefined, session: undefined, reason: 'BROWSER_CLOSED' };
const ENDED = [`GET ${AUTH}/session`, `GET ${AUTH}/refresh/token`, `GET ${AUTH}/sign-out`];

/** The tests of the client use nothing of the other workspaces. */
const waitFor = async (what: string, isDone: () => boolean): Promise<void> => {
  for (let attempt = 0; !isDone(); attempt += 1) {
    if (attempt === 1_000) throw new Error(`${what} did not come`);
    await delay(10);
  }
};

describe('client session that ends with the browser', () => {
  const { responders, listRequests, requests, createClient } = useFakeGateway();
  const globals = globalThis as { document?: object };
  let storage: ReturnType<typeof createMemoryStorage>;
  let clients: { close: () => void }[];
  const closeBrowser = () => {
    for (const client of clients) client.close();
    clients = [];
    requests.length = 0;
    globals.document = { cookie: '' };
  };
  const open = (options: Parameters<typeof createClient<'customer'>>[0] = {}) => {
    const client = createClient({ storage, endWithBrowser: true, ...options });
    clients.push(client);
    return client;
  };
  beforeEach(() => {
    storage = createMemoryStorage();
    clients = [];
    closeBrowser();
    responders.set(`${AUTH}/sign-in`, json(200, { token: 'first', user, session }));
    responders.set(`${AUTH}/session`, json(200, { user, session }));
    responders.set(`${AUTH}/me`, json(200, { user, session, profile: null }));
  });
  afterEach(() => {
    closeBrowser();
    delete globals.document;
  });

  const reopen = () => {
    closeBrowser();
    return open().getSnapshot();
  };
  const untilForgotten = () =>
    waitFor('the forgotten session', () => !storage.getItem('platform.customer')?.includes(session.id));
  const untilSignedOut = () => waitFor('the sign-out', () => listRequests().length >= ENDED.length);

  it('has ended in the next browser, which says why and signs out at the platform', async () => {
    const first = open();
    await first.signIn(CREDENTIALS);
    first.close();
    expect(globals.document).to.deep.equal({ cookie: 'browser-session=1; Path=/; SameSite=Lax' });
    const next = open();
    expect(next.getSnapshot().user).to.deep.equal(user);
    await next.me();
    expect(listRequests()).to.include(`GET ${AUTH}/refresh/token`);
    expect(reopen()).to.deep.equal(CLOSED);
    await untilSignedOut();
    expect(listRequests()).to.deep.equal(ENDED);
    expect(requests.at(-1)).to.match(/Bearer second$/);
    await untilForgotten();
    expect(storage.getItem('platform.customer')).not.to.include(user.email);
    expect(open().getSnapshot()).not.to.have.property('reason');
  });

  it('is signed out by the next page if the platform could not be reached', async () => {
    await open().signIn(CREDENTIALS);
    responders.set(`${AUTH}/sign-out`, failure(503, 'SERVICE_UNAVAILABLE'));
    expect(reopen()).to.deep.equal(CLOSED);
    await untilSignedOut();
    responders.set(`${AUTH}/sign-out`, noContent);
    expect(reopen()).to.deep.equal(CLOSED);
    await untilSignedOut();
    expect(listRequests()).to.deep.equal(ENDED);
  });

  it('does not end a later session of another page, whose cookie it finds', async () => {
    await open().signIn(CREDENTIALS);
    const later = { ...session, updatedAt: '2026-12-05T00:00:00.000Z' };
    responders.set(`${AUTH}/session`, json(200, { user, session: later }));
    reopen();
    await untilForgotten();
    expect(listRequests()).to.deep.equal([`GET ${AUTH}/session`]);
  });

  it('ends although somebody of another kind has signed in since', async () => {
    await open().signIn(CREDENTIALS);
    closeBrowser();
    responders.set('/employees/auth/sign-in', json(200, { token: 'first', user, session }));
    const employee = createClient({ storage, kind: 'employee', endWithBrowser: true });
    await employee.signIn(CREDENTIALS);
    employee.close();
    expect(open().getSnapshot()).to.deep.equal(CLOSED);
  });

  it('stays after the browser was closed for who chose that, also with a second step in a later page', async () => {
    const required = { statusCode: 401, error: 'Unauthorized', message: 'x', requestId: 'r-1' };
    const code = { code: 'SECOND_FACTOR_REQUIRED', challenge: CHALLENGE, factors: ['totp'] };
    await open().signIn({ ...CREDENTIALS, staySignedIn: true });
    expect(reopen().status).to.equal('signed-in');
    responders.set(`${AUTH}/sign-in`, json(401, { ...required, ...code }));
    responders.set(`${AUTH}/sign-in/second-factor`, json(200, { token: 'first', user, session }));
    for (const [staySignedIn, status] of [
      [true, 'signed-in'],
      [false, 'signed-out'],
    ] as const) {
      storage = createMemoryStorage();
      expect(await failed(open().signIn({ ...CREDENTIALS, staySignedIn }))).to.equal(
        'SECOND_FACTOR_REQUIRED',
      );
      await completeSignIn(open(), { challenge: CHALLENGE, totpCode: '042917' });
      expect(reopen().status).to.equal(status);
    }
  });

  it('is the choice that was made before the page was left for a provider', async () => {
    responders.set(
      `${AUTH}/oidc/company/authorize`,
      json(200, { authorizationUrl: 'https://a.example/?state=s-1', expiresIn: 600 }),
    );
    responders.set(`${AUTH}/oidc/company/sign-in`, json(200, { token: 'first', user, session }));
    const redirectUri = 'https://shop.example.com/callback';
    for (const [staySignedIn, status] of [
      [true, 'signed-in'],
      [false, 'signed-out'],
    ] as const) {
      storage = createMemoryStorage();
      await oidc.signInWith(open(), 'company', { redirectUri, staySignedIn }, { navigate: () => undefined });
      await oidc.completeSignIn(open(), `${redirectUri}?code=c&state=s-1`);
      expect(reopen().status).to.equal(status);
    }
  });

  it('has no end where the browser keeps no cookies, or there is none', async () => {
    for (const document of [undefined, Object.freeze({ cookie: '' })]) {
      storage = createMemoryStorage();
      if (document) globals.document = document;
      else delete globals.document;
      await open().signIn(CREDENTIALS);
      expect(open().getSnapshot().status).to.equal('signed-in');
    }
  });
});
