import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { parse } from 'yaml';
import { completeSignIn, deleteAccount } from '../src/account.ts';
import { createMemoryStorage } from '../src/device.ts';
import type { PlatformClient, PlatformClientOptions } from '../src/platform-client.ts';
import { PUBLIC_PATH } from '../src/request-function.ts';
import {
  AUTH,
  CREDENTIALS,
  caught,
  failed,
  failure,
  holdResponse,
  json,
  noContent,
  type Responder,
  session,
  useFakeGateway,
  user,
} from './fake-gateway.ts';

type Customer = PlatformClient<'customer'>;
type Secured = { security?: object[] };
type Paths = Record<string, Record<string, Secured>>;

const REFRESH = `${AUTH}/refresh/token`;
const PUBLIC = '/contact/lead';
const LEAD = { body: { name: 'Ada', email: user.email } };
const NO_RESPONSE: Responder = () => undefined;

/** One call of each kind. Each waits for the refresh, or for the lock that it holds. */
const CALLS: Record<string, (client: Customer, signal: AbortSignal) => Promise<unknown>> = {
  GET: (client, signal) => client.GET('/auth/me', { signal }),
  me: (client, signal) => client.me({ signal }),
  changePassword: (client, signal) =>
    client.changePassword({ currentPassword: 'a', newPassword: 'b' }, { signal }),
  signIn: (client, signal) => client.signIn(CREDENTIALS, { signal }),
  completeSignIn: (client, signal) =>
    completeSignIn(client, { challenge: 'c', totpCode: '042917' }, { signal }),
  signOut: (client, signal) => client.signOut({ signal }),
  deleteAccount: (client, signal) => deleteAccount(client, { currentPassword: 'a' }, { signal }),
};

describe('client without a response to the refresh', () => {
  const { responders, createClient, signIn, openTabs, listRequests } = useFakeGateway();
  const countRefreshes = () => listRequests().filter((request) => request.endsWith(REFRESH)).length;

  /** Opens a tab after a reload: it has a session but no token, and its first call has begun a refresh. */
  const openRefreshingTab = async (
    responder: Responder,
    timeoutSeconds = 60,
    options: Partial<PlatformClientOptions<'customer'>> = {},
  ) => {
    const storage = createMemoryStorage();
    (await signIn({ storage })).close();
    const held = holdResponse(responder);
    responders.set(REFRESH, held.responder);
    const client = createClient({ storage, timeoutSeconds, ...options });
    const call = caught(client.me());
    await held.requested;
    const { fingerprint } = JSON.parse(storage.getItem('platform.customer') ?? '');
    const lockIsFree = () => navigator.locks.request(`platform.${fingerprint}`, async () => undefined);
    return { ...held, client, call, storage, lockIsFree };
  };

  for (const [name, call] of Object.entries(CALLS))
    it(`rejects ${name} with the reason of its aborted signal, and never sends it`, async () => {
      // This `fetch` also sends aborted requests.
      const ignoresSignals = { fetch: (request: Request) => fetch(request) };
      const refreshed = json(200, { token: 'second' });
      const { client, release, call: first } = await openRefreshingTab(refreshed, 60, ignoresSignals);
      const [controller, reason] = [new AbortController(), new Error('Left the page')];
      const aborted = caught(call(client, controller.signal));
      controller.abort(reason);
      expect(await aborted).to.equal(reason);
      expect(await caught(call(client, AbortSignal.abort(reason)))).to.equal(reason);
      release();
      expect(await first).to.equal('resolved');
      await client.signOut();
      expect(listRequests()).to.deep.equal([`GET ${REFRESH}`, `GET ${AUTH}/me`, `GET ${AUTH}/sign-out`]);
      client.close();
    });

  it('immediately sends operations that need no token', async () => {
    const { client, release, call } = await openRefreshingTab(failure(503, 'SERVICE_UNAVAILABLE'));
    responders.set(PUBLIC, json(201, { id: '1' }));
    expect(await client.POST(PUBLIC, LEAD)).to.deep.equal({ id: '1' });
    release();
    expect(await call).to.include({ code: 'SERVICE_UNAVAILABLE' });
    expect(listRequests()).to.deep.equal([`GET ${REFRESH}`, `POST ${PUBLIC}`]);
    client.close();
  });

  it('knows which operations of the documents need no token', () => {
    const documents = ['auth', 'admin'].map((name) => {
      const file = new URL(`../../${name}.yaml`, import.meta.url);
      return parse(readFileSync(file, 'utf8')) as Required<Secured> & { paths: Paths };
    });
    const operations = documents.flatMap(({ paths, security: usual }) =>
      Object.entries(paths).flatMap(([path, item]) =>
        Object.values(item).map(({ security = usual }) => ({ path, isPublic: security.length === 0 })),
      ),
    );
    for (const { path, isPublic } of operations) expect(PUBLIC_PATH.test(path), path).to.equal(isPublic);
  });

  for (const [name, timeoutSeconds, responder, code] of [
    ['timeout', 1, NO_RESPONSE, 'GATEWAY_UNREACHABLE'],
    ['503', 60, failure(503, 'SERVICE_UNAVAILABLE'), 'SERVICE_UNAVAILABLE'],
  ] as const)
    it(`fails the calls of both tabs after one refresh that ends with a ${name}`, async () => {
      const { client, storage, call, release } = await openRefreshingTab(responder, timeoutSeconds);
      responders.set(REFRESH, NO_RESPONSE);
      const second = createClient({ storage, timeoutSeconds: 60 });
      const calls = [second.me(), second.GET('/auth/me')].map(failed);
      release();
      expect(await call).to.include({ code });
      expect(await Promise.all(calls)).to.deep.equal([code, code]);
      expect(await second.signIn(CREDENTIALS), 'the lock is free').to.deep.equal({ user, session });
      for (const tab of [client, second]) tab.close();
    });

  it('uses a response that arrives after the timeout', async () => {
    const { client, call, storage, release } = await openRefreshingTab(json(200, { token: 'late' }), 1);
    expect(await call).to.include({ code: 'GATEWAY_UNREACHABLE' });
    const stored = () => storage.getItem('platform.customer');
    const before = stored();
    release();
    while (stored() === before) await setImmediate();
    expect((await client.me()).user).to.deep.equal(user);
    expect(countRefreshes()).to.equal(1);
    client.close();
  });

  it('aborts a late refresh when another tab has a newer token', async () => {
    const { client, storage, closed, lockIsFree } = await openRefreshingTab(NO_RESPONSE, 1);
    await lockIsFree();
    responders.set(REFRESH, json(200, { token: 'second' }));
    const second = createClient({ storage });
    await second.me();
    await closed;
    await client.me();
    expect(countRefreshes()).to.equal(2);
    for (const tab of [client, second]) tab.close();
  });

  it('fails a call without a response after the timeout', async () => {
    const { tabs, close } = await openTabs();
    const client = await signIn({ timeoutSeconds: 1 });
    responders.set(`${AUTH}/me`, NO_RESPONSE);
    responders.set(`${AUTH}/sign-out`, NO_RESPONSE);
    for (const call of [client.me, client.signOut])
      expect(await failed(call())).to.equal('GATEWAY_UNREACHABLE');
    expect(client.isSignedIn()).to.equal(true);
    responders.set(`${AUTH}/sign-out`, noContent);
    await tabs[0].signOut();
    close();
  });
});
