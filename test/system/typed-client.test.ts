import { createCookieJar } from '@platform/client/cookie-jar';
import type { PlatformClient } from '@platform/client/platform-client';
import { createLocalLocks, type SignOutReason } from '@platform/client/session-manager';
import { PASSWORD, uniqueEmail, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import { createInterruptibleProxy } from '@platform/shared/testing/interruptible-proxy';
import { waitFor } from '@platform/shared/testing/poll';
import { setBlocked } from '@platform/shared/testing/query-database';
import { type RunningStack, startStack } from '@platform/shared/testing/stack';
import { expect } from 'chai';
import { createBrowser, expectFailure } from './http-client.ts';

const MANY = 20;
/** Long enough for a story, short enough to see it expire. */
const ACCESS_SECONDS = 3;
const AUTH = '/api/v1/customers/auth';

type Browser = ReturnType<typeof createBrowser<'customer'>>;
type Customer = PlatformClient<'customer'>;

const me = (tab: Customer) => tab.GET('/customers/auth/me');
const manyAtOnce = (...tabs: Customer[]) =>
  Promise.all(Array.from({ length: MANY }, () => tabs.map(me)).flat());

/** What a tab says about sign-outs, in order. */
const listen = (tab: Customer): SignOutReason[] => {
  const reasons: SignOutReason[] = [];
  tab.onSignedOut((reason) => reasons.push(reason));
  return reasons;
};

const recordOf = ({ storage }: Browser): { fingerprint: string; sessionId: string } =>
  JSON.parse(storage.getItem('platform.customer') ?? '{}');

describe('The typed client, against the running stack', () => {
  let running: RunningStack | undefined;
  let gatewayUrl: string;
  let databaseUrl: string;
  before(`start one whose customers' access tokens live ${ACCESS_SECONDS} seconds`, async function () {
    this.timeout(60_000);
    running = await startStack({ JWT_CUSTOMER_ACCESS_EXPIRES_IN: String(ACCESS_SECONDS) });
    ({ gatewayUrl, databaseUrl } = running.stack);
  });
  after('stop it', async function () {
    this.timeout(30_000);
    await running?.stop();
  });

  const browsers: Browser[] = [];
  afterEach('close every tab', () => {
    for (const browser of browsers.splice(0)) browser.close();
  });
  const openBrowser = (url = gatewayUrl): Browser => {
    const browser = createBrowser(url, 'customer');
    browsers.push(browser);
    return browser;
  };
  const signInSomebody = async (tab: Customer) => {
    const email = uniqueEmail();
    await tab.signUp({ email, password: PASSWORD });
    return await tab.signIn({ email, password: PASSWORD });
  };

  /** What another program with the browser's cookies gets: the tabs are told nothing of it. */
  const asStranger = async (browser: Browser, path: string, cookie = browser.cookies.header()) => {
    const { fingerprint, sessionId } = recordOf(browser);
    const headers = { 'X-Fingerprint': fingerprint, 'X-Session-Id': sessionId, Cookie: cookie ?? '' };
    return await fetch(gatewayUrl + AUTH + path, { headers });
  };
  const refreshBehindItsBack = async (browser: Browser): Promise<Response> => {
    const answer = await asStranger(browser, '/refresh/token');
    expect(answer.status).to.equal(200);
    browser.cookies.store(answer.headers);
    return answer;
  };
  /** As the user would from another device. */
  const endSession = async (browser: Browser): Promise<void> => {
    const { sessionId } = recordOf(browser);
    const headers = { Authorization: browser.authorization() };
    const answer = await fetch(`${gatewayUrl}${AUTH}/sessions/${sessionId}`, { method: 'DELETE', headers });
    expect(answer.status).to.equal(204);
  };
  /** Has the platform itself refuse the very token that a tab called with last. */
  const untilExpired = async (browser: Browser): Promise<void> => {
    const headers = { Authorization: browser.authorization() };
    await waitFor(
      'the access token expires',
      async () => (await fetch(`${gatewayUrl}/api/v1/auth/me`, { headers })).status === 401,
    );
  };

  it(`When ${MANY} calls at once meet an expired token, then one refresh is made and every call succeeds`, async () => {
    const browser = openBrowser();
    const tab = browser.openTab();
    const { session } = await signInSomebody(tab);
    await me(tab);
    await untilExpired(browser);
    const answers = await manyAtOnce(tab);
    expect(answers.map((answer) => answer.session.id)).to.deep.equal(Array(MANY).fill(session.id));
    expect(browser.refreshes()).to.deep.equal([200]);
    expect(browser.traffic.filter(({ status }) => status >= 400)).to.deep.equal([]);
  });

  it(`When ${MANY} calls at once are refused for a token that looked good, then one refresh is made and every call succeeds`, async () => {
    const browser = openBrowser();
    const tab = browser.openTab();
    await signInSomebody(tab);
    await refreshBehindItsBack(browser);
    await manyAtOnce(tab);
    expect(browser.refreshes()).to.deep.equal([200]);
    const refused = browser.traffic.filter(({ status }) => status === 401);
    expect(refused).to.have.length(MANY);
  });

  it(`When ${MANY} calls at once in each of three tabs meet an expired token, then one refresh is made for all of them`, async () => {
    const browser = openBrowser();
    const tabs = [browser.openTab(), browser.openTab(), browser.openTab()] as const;
    const reasons = tabs.map(listen);
    await signInSomebody(tabs[0]);
    await manyAtOnce(...tabs);
    const before = browser.refreshes().length;
    await untilExpired(browser);
    expect(await manyAtOnce(...tabs)).to.have.length(3 * MANY);
    expect(browser.refreshes().slice(before)).to.deep.equal([200]);
    expect(reasons).to.deep.equal([[], [], []]);
  });

  it('When the page is opened anew, then its first call refreshes, and the older tab goes on with the new token', async () => {
    const browser = openBrowser();
    const older = browser.openTab();
    const { user } = await signInSomebody(older);
    const newer = browser.openTab();
    expect(newer.isSignedIn()).to.equal(true);
    expect((await me(newer)).user).to.deep.equal(user);
    expect((await me(older)).user).to.deep.equal(user);
    expect(browser.refreshes()).to.deep.equal([200]);
  });

  it('When a call with a body is refused for its token, then the body is sent again with the new one', async () => {
    const browser = openBrowser();
    const tab = browser.openTab();
    await signInSomebody(tab);
    await refreshBehindItsBack(browser);
    const check = tab.POST('/customers/auth/verification/email/code/check', { body: { code: '000000' } });
    await expectFailure(check, 'CODE_INVALID');
    const sent = browser.traffic.filter(({ path }) => path.endsWith('/code/check'));
    expect(sent.map(({ status }) => status)).to.deep.equal([401, 400]);
  });

  it('When tabs without Web Locks refresh at once, then the slower takes what the faster got', async () => {
    const browser = openBrowser();
    const tabs = [
      browser.openTab({ locks: createLocalLocks() }),
      browser.openTab({ locks: createLocalLocks() }),
    ] as const;
    const reasons = tabs.map(listen);
    await signInSomebody(tabs[0]);
    await manyAtOnce(...tabs);
    const before = browser.refreshes().length;
    await untilExpired(browser);
    await manyAtOnce(...tabs);
    expect(browser.refreshes().slice(before)).to.have.members([200, 401]);
    expect(reasons).to.deep.equal([[], []]);
  });

  it('When a program that the tabs cannot hear refreshes first, then the superseded refresh is tried again with the new cookie', async () => {
    const browser = openBrowser();
    let faster: Promise<Response> | undefined;
    const tab = browser.openTab({
      fetch: async (request) => {
        // The other one's request overtakes this one; its cookie arrives after this one's refusal.
        const isFirst = request.url.endsWith('/refresh/token') && faster === undefined;
        if (!isFirst) return await browser.watchedFetch(request);
        faster = asStranger(browser, '/refresh/token');
        const { headers } = await faster;
        const answer = await browser.watchedFetch(request);
        browser.cookies.store(headers);
        return answer;
      },
    });
    const reasons = listen(tab);
    const { user } = await signInSomebody(tab);
    await me(tab);
    await untilExpired(browser);
    expect((await me(tab)).user).to.deep.equal(user);
    expect(browser.refreshes()).to.deep.equal([401, 200]);
    expect(reasons).to.deep.equal([]);
  });

  it('When an old refresh token comes back, then every tab is told that the sign-in has ended, once, and none asks again', async () => {
    const browser = openBrowser();
    const tabs = [browser.openTab(), browser.openTab()] as const;
    const reasons = tabs.map(listen);
    await signInSomebody(tabs[0]);
    await me(tabs[1]);
    const [stolen] = [browser.cookies.header(), await refreshBehindItsBack(browser)];
    await refreshBehindItsBack(browser);
    expect((await asStranger(browser, '/refresh/token', stolen)).status).to.equal(401);

    const before = browser.refreshes().length;
    await expectFailure(me(tabs[0]), 'TOKEN_INVALID');
    await waitFor('the other tab hears of it', () => reasons[1]?.length === 1);
    expect(reasons).to.deep.equal([['TOKEN_INVALID'], ['TOKEN_INVALID']]);
    for (const tab of tabs) {
      expect(tab.isSignedIn()).to.equal(false);
      await expectFailure(me(tab), 'TOKEN_INVALID');
    }
    expect(browser.refreshes().slice(before)).to.deep.equal([401]);
  });

  it('When the tab itself has the old refresh token, then it is told REFRESH_TOKEN_REUSED and its session is over', async () => {
    const browser = openBrowser();
    const [victim, cookies] = [browser.openTab(), createCookieJar()];
    await signInSomebody(victim);
    const old = browser.cookies.header();
    const thief = browser.openTab({ cookies: { ...cookies, header: () => old } });
    const reasons = listen(thief);
    await refreshBehindItsBack(browser);
    await refreshBehindItsBack(browser);
    await expectFailure(me(thief), 'REFRESH_TOKEN_REUSED');
    expect(reasons).to.deep.equal(['REFRESH_TOKEN_REUSED']);
    expect(thief.isSignedIn()).to.equal(false);
  });

  it('When the user is blocked, then the next call says so and the tab is told', async () => {
    const browser = openBrowser();
    const tab = browser.openTab();
    const reasons = listen(tab);
    const { user } = await signInSomebody(tab);
    await setBlocked(databaseUrl, user.id, true);
    const { status, requestId } = await expectFailure(me(tab), 'USER_BLOCKED');
    expect(status).to.equal(401);
    expect(requestId).to.be.a('string');
    expect(reasons).to.deep.equal(['USER_BLOCKED']);
  });

  it('When one tab signs out, then the others are told, and nothing is left to refresh with', async () => {
    const browser = openBrowser();
    const tabs = [browser.openTab(), browser.openTab()] as const;
    const reasons = tabs.map(listen);
    await signInSomebody(tabs[0]);
    await me(tabs[1]);
    await tabs[0].signOut();
    await waitFor('the other tab hears of it', () => reasons[1]?.length === 1);
    expect(reasons).to.deep.equal([['SIGNED_OUT'], ['SIGNED_OUT']]);
    expect(browser.cookies.header()).to.equal(undefined);
    const before = browser.traffic.length;
    await tabs[1].signOut();
    expect(browser.traffic).to.have.length(before);
  });

  it('When the tokens have ended elsewhere, then a sign-out still signs out', async () => {
    const browser = openBrowser();
    const tab = browser.openTab();
    const reasons = listen(tab);
    await signInSomebody(tab);
    await me(tab);
    await endSession(browser);
    await tab.signOut();
    expect(tab.isSignedIn()).to.equal(false);
    expect(reasons).to.deep.equal(['TOKEN_INVALID']);
  });

  it('When another tab signs in as somebody else, then the first is told, and its call under way is not made in that user’s name', async () => {
    const browser = openBrowser();
    const other = browser.openTab();
    let isUnderWay = false;
    const tab = browser.openTab({
      fetch: async (request) => {
        if (isUnderWay && request.url.endsWith('/sessions')) {
          isUnderWay = false;
          await endSession(browser);
          await signInSomebody(other);
        }
        return await browser.watchedFetch(request);
      },
    });
    const reasons = listen(tab);
    await signInSomebody(tab);
    await me(tab);
    isUnderWay = true;
    await expectFailure(tab.DELETE('/customers/auth/sessions'), 'TOKEN_INVALID');
    await waitFor('the tab hears of it', () => reasons.length === 1);
    expect(reasons).to.deep.equal(['SIGNED_IN_AS_ANOTHER']);
    expect(browser.traffic.filter(({ method }) => method === 'DELETE')).to.have.length(1);
  });

  it('When the tab did not hear that another has signed in as somebody else, then its next call is not made in that user’s name either', async () => {
    const browser = openBrowser();
    const [deaf, other] = [browser.openTab(), browser.openTab()];
    const reasons = listen(deaf);
    await signInSomebody(deaf);
    await me(deaf);
    deaf.close();
    await signInSomebody(other);
    await untilExpired(browser);
    await expectFailure(deaf.DELETE('/customers/auth/sessions'), 'TOKEN_INVALID');
    expect(reasons).to.deep.equal(['SIGNED_IN_AS_ANOTHER']);
    const calls = browser.traffic.filter(({ method }) => method === 'DELETE');
    expect(calls.map(({ status }) => status)).to.deep.equal([401]);
  });

  it('When the gateway cannot be reached, then that is said, nobody is signed out, and later calls succeed', async () => {
    const proxy = await createInterruptibleProxy(gatewayUrl);
    try {
      const browser = openBrowser(proxy.url);
      const tab = browser.openTab();
      const reasons = listen(tab);
      await signInSomebody(tab);
      await me(tab);
      await untilExpired(browser);
      await proxy.cut();
      const failures = await Promise.all(
        Array.from({ length: MANY }, () => expectFailure(me(tab), 'GATEWAY_UNREACHABLE')),
      );
      expect(failures[0]?.status).to.equal(0);
      expect(tab.isSignedIn()).to.equal(true);
      await proxy.restore();
      await me(tab);
      expect(reasons).to.deep.equal([]);
    } finally {
      await proxy.close();
    }
  });

  it('When a limit is met, then its time is told and the call is not tried again', async () => {
    const browser = openBrowser();
    const tab = browser.openTab();
    await signInSomebody(tab);
    await tab.GET('/customers/auth/verification/email/code');
    const before = browser.traffic.length;
    const { retryAfterSeconds } = await expectFailure(
      tab.GET('/customers/auth/verification/email/code'),
      'RESEND_LOCKED',
    );
    expect(retryAfterSeconds).to.be.within(100, 120);
    expect(browser.traffic.slice(before).map(({ status }) => status)).to.deep.equal([429]);
  });

  it('When a sign-in is refused, then who was signed in stays so', async () => {
    const browser = openBrowser();
    const tab = browser.openTab();
    const { user } = await signInSomebody(tab);
    await expectFailure(tab.signIn({ email: user.email, password: WRONG_PASSWORD }), 'INVALID_CREDENTIALS');
    expect((await me(tab)).user).to.deep.equal(user);
  });

  it('When the first administrator registers, then the back-office answers with its types, and its errors with their fields', async () => {
    const browser = createBrowser(gatewayUrl, 'administrator');
    try {
      const tab = browser.openTab();
      const email = uniqueEmail();
      const { id } = await tab.signUp({ email, password: PASSWORD });
      await tab.signIn({ email, password: PASSWORD });
      const page = await tab.GET('/users', { params: { query: { search: email, perPage: 5 } } });
      expect(page.data.map((user) => user.id)).to.deep.equal([id]);
      const block = tab.PATCH('/users/{id}/block', { params: { path: { id } } });
      await expectFailure(block, 'USER_IS_ADMIN');
      const wrong = tab.GET('/users', { params: { query: { perPage: 1_000 } } });
      const { details, status } = await expectFailure(wrong, 'VALIDATION_FAILED');
      expect(status).to.equal(400);
      expect(details.map(({ path }) => path)).to.deep.equal(['/query/perPage']);
    } finally {
      browser.close();
    }
  });
});
