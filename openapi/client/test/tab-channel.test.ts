import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { confirmEmailChange } from '../src/account.ts';
import { createMemoryStorage } from '../src/device.ts';
import {
  ANOTHER,
  AUTH,
  CREDENTIALS,
  failure,
  holdResponse,
  json,
  session,
  useFakeGateway,
  user,
} from './fake-gateway.ts';

const KEY = 'platform.customer';
const SIGNED_IN = { status: 'signed-in', user, session };

/**
 * The `window` of a page. Node has BroadcastChannel and `navigator.locks`, so the clients of one process are
 * its tabs.
 */
const createPage = () => {
  const { getItem, setItem } = createMemoryStorage();
  const stored: string[] = [];
  const localStorage = {
    getItem,
    removeItem: () => undefined,
    setItem: (key: string, text: string) => {
      stored.push(text);
      setItem(key, text);
    },
  };
  return Object.assign(new EventTarget(), { localStorage, stored, visibilityState: 'visible' });
};

describe('client tab channel', () => {
  const { responders, requests, createClient, signIn, listRequests } = useFakeGateway();
  let page: ReturnType<typeof createPage>;
  const clients: ReturnType<typeof createClient>[] = [];
  beforeEach('open a page', () => {
    page = createPage();
    Object.assign(globalThis, { window: page, document: page });
  });
  afterEach('close it', () => {
    for (const client of clients.splice(0)) client.close();
    for (const name of ['window', 'document']) Reflect.deleteProperty(globalThis, name);
  });

  const openTabs = async () => {
    const tabs = [await signIn(), createClient()] as const;
    clients.push(...tabs);
    return tabs;
  };
  /** Resolves with the reason when the tab next reports the end of its session. */
  const nextEnding = (tab: ReturnType<typeof createClient>) =>
    new Promise<string>((resolve) => tab.onSignedOut(resolve));
  const recordEndings = (tab: ReturnType<typeof createClient>) => {
    const reasons: string[] = [];
    tab.onSignedOut((reason) => reasons.push(reason));
    return reasons;
  };
  /** The record of a tab that signed out later. */
  const signedOutRecord = () => {
    const { fingerprint, generation } = JSON.parse(page.localStorage.getItem(KEY) ?? '');
    return JSON.stringify({ fingerprint, generation: generation + 1, reason: 'SIGNED_OUT' });
  };
  const dispatchStorage = (key: string | null, newValue: string | null) =>
    page.dispatchEvent(Object.assign(new Event('storage'), { key, newValue }));

  it('reports a sign-in as another user and a sign-out to the other tab by messages alone', async () => {
    const [first, second] = await openTabs();
    responders.set(`${AUTH}/sign-in`, json(200, { token: 'other', ...ANOTHER }));
    const replaced = nextEnding(second);
    await first.signIn(CREDENTIALS);
    expect(await replaced).to.equal('SIGNED_IN_AS_ANOTHER');
    const ended = nextEnding(second);
    await first.signOut({ localOnly: true });
    expect(await ended).to.equal('SIGNED_OUT');
  });

  it('shares the access token with the other tab, and stores none', async () => {
    const [first, second] = await openTabs();
    responders.set(`${AUTH}/refresh/token`, json(200, { token: 'renewed' }));
    responders.set(`${AUTH}/me`, (response, request) =>
      (request.headers.authorization === 'Bearer renewed'
        ? json(200, { user, session, profile: null })
        : failure(401, 'TOKEN_INVALID'))(response, request),
    );
    await first.me();
    await second.me();
    expect(listRequests()).to.deep.equal([
      `GET ${AUTH}/me`,
      `GET ${AUTH}/refresh/token`,
      ...Array(2).fill(`GET ${AUTH}/me`),
    ]);
    expect(page.stored.join())
      .to.include(session.id)
      .and.not.to.match(/first|renewed/);
  });

  it('gives its access token to a new tab, which would otherwise replace it', async () => {
    const [, second] = await openTabs();
    await second.me();
    expect(requests).to.deep.equal([`GET ${AUTH}/me Bearer first`]);
  });

  it('sends no call with a token that another tab has replaced, even if the new one never arrives', async () => {
    const [, second] = await openTabs();
    await second.me();
    const { generation, ...record } = JSON.parse(page.localStorage.getItem(KEY) ?? '');
    const renewed = { ...record, generation: generation + 1, tokenGeneration: generation + 1 };
    page.localStorage.setItem(KEY, JSON.stringify(renewed));
    requests.length = 0;
    await second.me();
    expect(requests).to.deep.equal([`GET ${AUTH}/refresh/token -`, `GET ${AUTH}/me Bearer second`]);
  });

  it('refreshes when no other tab has a token', async () => {
    const [first] = await openTabs();
    first.close();
    const alone = createClient();
    clients.push(alone);
    for (const client of clients.slice(0, 2)) client.close();
    await alone.me();
    expect(listRequests()).to.deep.equal([`GET ${AUTH}/refresh/token`, `GET ${AUTH}/me`]);
  });

  it('reports the change of its own storage key, and ignores foreign keys', async () => {
    const [, second] = await openTabs();
    const reasons = recordEndings(second);
    const signedOut = signedOutRecord();
    for (const key of ['platform.employee', 'foreign', null]) dispatchStorage(key, signedOut);
    await Promise.resolve();
    expect(reasons).to.deep.equal([]);
    expect(second.getSnapshot()).to.deep.equal(SIGNED_IN);
    dispatchStorage(KEY, signedOut);
    await Promise.resolve();
    expect(reasons).to.deep.equal(['SIGNED_OUT']);
  });

  it('reads the storage again when the back/forward cache shows the page', async () => {
    const [, second] = await openTabs();
    const reasons = recordEndings(second);
    page.localStorage.setItem(KEY, signedOutRecord());
    page.dispatchEvent(new Event('pageshow'));
    await Promise.resolve();
    expect(reasons).to.deep.equal(['SIGNED_OUT']);
  });

  it('checks the session when the page is shown again, once a minute, until it is closed', async () => {
    const [first] = await openTabs();
    const { responder, requested, release } = holdResponse(json(200, { user: ANOTHER.user, session }));
    responders.set(`${AUTH}/me`, responder);
    const changed = new Promise<void>((resolve) => first.subscribe(resolve));
    clients[1]?.close();
    for (const visibilityState of ['visible', 'hidden', 'visible'])
      Object.assign(page, { visibilityState }).dispatchEvent(new Event('visibilitychange'));
    await requested;
    release();
    await changed;
    expect(first.getSnapshot().user).to.deep.equal(ANOTHER.user);
    page.dispatchEvent(new Event('visibilitychange'));
    first.close();
    page.dispatchEvent(new Event('visibilitychange'));
    await first.me();
    expect(listRequests()).to.deep.equal(Array(2).fill(`GET ${AUTH}/me`));
  });

  it('ignores messages and events after the client is closed', async () => {
    const [first, second] = await openTabs();
    const reasons = recordEndings(first);
    first.close();
    const third = createClient();
    clients.push(third);
    const ended = nextEnding(third);
    await second.signOut({ localOnly: true });
    await ended;
    const changed = new Promise<void>((resolve) => second.subscribe(resolve));
    await third.signIn(CREDENTIALS);
    await changed;
    dispatchStorage(KEY, signedOutRecord());
    page.dispatchEvent(new Event('pageshow'));
    await Promise.resolve();
    expect(reasons).to.deep.equal([]);
  });

  it('signs in only when no other tab holds the lock', async () => {
    const [, second] = await openTabs();
    const acquired = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const holding = navigator.locks.request(KEY, async () => {
      acquired.resolve();
      await released.promise;
    });
    await acquired.promise;
    const signingIn = second.signIn(CREDENTIALS);
    const isWaiting = async () => ((await navigator.locks.query()).pending ?? []).length > 0;
    while (requests.length === 0 && !(await isWaiting())) await setImmediate();
    expect(requests).to.deep.equal([]);
    released.resolve();
    await Promise.all([holding, signingIn]);
    expect(listRequests()).to.deep.equal([`POST ${AUTH}/sign-in`]);
  });

  it('signs in two seconds later when a blocked tab keeps the lock', async () => {
    const [, second] = await openTabs();
    const release = Promise.withResolvers<void>();
    const holding = navigator.locks.request(KEY, () => release.promise);
    const startedAt = performance.now();
    await second.signIn(CREDENTIALS);
    expect(performance.now() - startedAt).to.be.within(1_900, 3_000);
    release.resolve();
    await holding;
    await setImmediate();
    expect(listRequests()).to.deep.equal([`POST ${AUTH}/sign-in`]);
  });

  for (const [name, path, call] of [
    ['me', '/me', (tab) => tab.me()],
    ['confirmed e-mail change', '/email/change/check', (tab) => confirmEmailChange(tab, '123456')],
  ] as [string, string, (tab: ReturnType<typeof createClient>) => Promise<unknown>][])
    it(`ignores a late ${name} response after another user has signed in`, async () => {
      const [first, second] = await openTabs();
      const { responder, requested, release } = holdResponse(
        json(200, { user: { ...user, firstName: 'Late' } }),
      );
      responders.set(AUTH + path, responder);
      const calling = call(first);
      await requested;
      responders.set(`${AUTH}/sign-in`, json(200, { token: 'other', ...ANOTHER }));
      await second.signIn(CREDENTIALS);
      release();
      await calling;
      for (const tab of [first, second])
        expect(tab.getSnapshot()).to.deep.equal({ status: 'signed-in', ...ANOTHER });
    });
});
