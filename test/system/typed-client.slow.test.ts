import { setTimeout } from 'node:timers/promises';
import type { PlatformClient, SignOutReason } from '@platform/client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { waitFor } from '@platform/shared/testing/poll';
import { backdateRefresh } from '@platform/shared/testing/query-database';
import { type RunningStack, startStack } from '@platform/shared/testing/stack';
import { expect } from 'chai';
import { createBrowser, expectFailure } from './simulated-browser.ts';

const CONCURRENCY = 20;
/** Long enough for the calls of a test, and short enough to wait for the expiry. */
const ACCESS_SECONDS = 3;
const AUTH = '/api/v1/customers/auth';

type Browser = ReturnType<typeof createBrowser<'customer'>>;
type Customer = PlatformClient<'customer'>;

const me = (tab: Customer) => tab.GET('/customers/auth/me');
const callConcurrently = (tab: Customer) => Promise.all(Array.from({ length: CONCURRENCY }, () => me(tab)));

/** Collects the reasons of a tab's sign-outs in order. */
const collectSignOuts = (tab: Customer): SignOutReason[] => {
  const reasons: SignOutReason[] = [];
  tab.onSignedOut((reason) => reasons.push(reason));
  return reasons;
};

const readStoredSession = ({ storage }: Browser): { fingerprint: string; sessionId: string } => {
  const { fingerprint, signedIn } = JSON.parse(storage.getItem('platform.customer') ?? '{}');
  return { fingerprint, sessionId: signedIn.session.id };
};

describe('typed client', () => {
  let running: RunningStack | undefined;
  let gatewayUrl: string;
  let databaseUrl: string;
  before(`start a stack whose customer access tokens expire after ${ACCESS_SECONDS} s`, async () => {
    running = await startStack({ JWT_CUSTOMER_ACCESS_EXPIRES_IN: String(ACCESS_SECONDS) });
    ({ gatewayUrl, databaseUrl } = running.stack);
  });
  after('stop the stack', async () => {
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
  const signInNewUser = async (tab: Customer) => {
    const email = uniqueEmail();
    await tab.signUp({ email, password: PASSWORD });
    return await tab.signIn({ email, password: PASSWORD });
  };

  /** Sends a request with the browser's cookies, as another program would. The tabs do not notice it. */
  const sendOutsideTabs = async (browser: Browser, path: string, cookie = browser.cookies.header()) => {
    const { fingerprint, sessionId } = readStoredSession(browser);
    const headers = { 'X-Fingerprint': fingerprint, 'X-Session-Id': sessionId, Cookie: cookie ?? '' };
    return await fetch(gatewayUrl + AUTH + path, { headers });
  };
  const refreshOutsideTabs = async (browser: Browser): Promise<Response> => {
    const response = await sendOutsideTabs(browser, '/refresh/token');
    expect(response.status).to.equal(200);
    browser.cookies.store(response.headers);
    return response;
  };
  /** Ends the session, as another device of the user does. */
  const endSession = async (browser: Browser): Promise<void> => {
    const { sessionId } = readStoredSession(browser);
    const headers = { Authorization: browser.authorization() };
    const response = await fetch(`${gatewayUrl}${AUTH}/sessions/${sessionId}`, { method: 'DELETE', headers });
    expect(response.status).to.equal(204);
  };
  /**
   * Waits until the platform rejects the token of the latest call, and the clock of the tab shows it as
   * expired.
   */
  const waitForExpiry = async (browser: Browser): Promise<void> => {
    const headers = { Authorization: browser.authorization() };
    // The tab counts from the time when it received the token, which is later than the platform's start.
    await setTimeout(ACCESS_SECONDS * 1_000);
    await waitFor(
      'the access token expires',
      async () => (await fetch(`${gatewayUrl}/api/v1/auth/me`, { headers })).status === 401,
    );
  };

  it(`refreshes once when ${CONCURRENCY} concurrent calls have an expired token`, async () => {
    const browser = openBrowser();
    const tab = browser.openTab();
    const { session } = await signInNewUser(tab);
    await me(tab);
    await waitForExpiry(browser);
    const responses = await callConcurrently(tab);
    expect(responses.map((response) => response.session.id)).to.deep.equal(
      Array(CONCURRENCY).fill(session.id),
    );
    expect(browser.refreshes()).to.deep.equal([200]);
    expect(browser.traffic.filter(({ status }) => status >= 400)).to.deep.equal([]);
  });

  it('resends the body of a call that got 401 for its token', async () => {
    const browser = openBrowser();
    const tab = browser.openTab();
    await signInNewUser(tab);
    await refreshOutsideTabs(browser);
    const check = tab.POST('/customers/auth/verification/email/code/check', { body: { code: '000000' } });
    await expectFailure(check, 'CODE_INVALID');
    const sent = browser.traffic.filter(({ path }) => path.endsWith('/code/check'));
    expect(sent.map(({ status }) => status)).to.deep.equal([401, 400]);
  });

  it('retries a superseded refresh with the new cookie when another program refreshed first', async () => {
    const browser = openBrowser();
    let faster: Promise<Response> | undefined;
    const tab = browser.openTab({
      fetch: async (request) => {
        // The other refresh comes first, but its cookie arrives only after the rejection of this one.
        const isFirst = request.url.endsWith('/refresh/token') && faster === undefined;
        if (!isFirst) return await browser.recordingFetch(request);
        faster = sendOutsideTabs(browser, '/refresh/token');
        const { headers } = await faster;
        const response = await browser.recordingFetch(request);
        browser.cookies.store(headers);
        return response;
      },
    });
    const reasons = collectSignOuts(tab);
    const { user } = await signInNewUser(tab);
    await me(tab);
    await waitForExpiry(browser);
    expect((await me(tab)).user).to.deep.equal(user);
    expect(browser.refreshes()).to.deep.equal([401, 200]);
    expect(reasons).to.deep.equal([]);
  });

  it('notifies every tab once when a reused refresh token has ended the session', async () => {
    const browser = openBrowser();
    const tabs = [browser.openTab(), browser.openTab()] as const;
    const reasons = tabs.map(collectSignOuts);
    await signInNewUser(tabs[0]);
    await me(tabs[1]);
    const [oldCookie] = [browser.cookies.header(), await refreshOutsideTabs(browser)];
    await refreshOutsideTabs(browser);
    expect((await sendOutsideTabs(browser, '/refresh/token', oldCookie)).status).to.equal(401);

    const before = browser.refreshes().length;
    await expectFailure(me(tabs[0]), 'TOKEN_INVALID');
    await waitFor('the other tab is notified', () => reasons[1]?.length === 1);
    expect(reasons).to.deep.equal([['TOKEN_INVALID'], ['TOKEN_INVALID']]);
    for (const tab of tabs) {
      expect(tab.isSignedIn()).to.equal(false);
      await expectFailure(me(tab), 'TOKEN_INVALID');
    }
    expect(browser.refreshes().slice(before)).to.deep.equal([401]);
  });

  it('signs out after the leeway when the response of a refresh was lost, with one request', async () => {
    const browser = openBrowser();
    const tab = browser.openTab({
      fetch: async (request) => {
        const isFirst = request.url.endsWith('/refresh/token') && browser.refreshes().length === 0;
        const response = await browser.recordingFetch(request);
        if (isFirst) throw new TypeError('The connection was lost');
        return response;
      },
    });
    const reasons = collectSignOuts(tab);
    await signInNewUser(tab);
    await me(tab);
    await waitForExpiry(browser);
    await expectFailure(me(tab), 'GATEWAY_UNREACHABLE');
    await expectFailure(me(tab), 'REFRESH_TOKEN_SUPERSEDED');
    expect(tab.isSignedIn()).to.equal(true);

    const before = browser.refreshes().length;
    await backdateRefresh(databaseUrl, readStoredSession(browser).sessionId, 10);
    await expectFailure(me(tab), 'REFRESH_TOKEN_REUSED');
    expect(reasons).to.deep.equal(['REFRESH_TOKEN_REUSED']);
    await expectFailure(me(tab), 'TOKEN_INVALID');
    expect(browser.refreshes().slice(before)).to.deep.equal([401]);
  });

  it('signs out when the session has ended on another device', async () => {
    const browser = openBrowser();
    const tab = browser.openTab();
    const reasons = collectSignOuts(tab);
    await signInNewUser(tab);
    await me(tab);
    await endSession(browser);
    await tab.signOut();
    expect(tab.isSignedIn()).to.equal(false);
    expect(reasons).to.deep.equal(['TOKEN_INVALID']);
  });

  it('does not repeat a call as a user who has signed in in another tab', async () => {
    const browser = openBrowser();
    const other = browser.openTab();
    let isIntercepting = false;
    const tab = browser.openTab({
      fetch: async (request) => {
        if (isIntercepting && request.url.endsWith('/sessions')) {
          isIntercepting = false;
          await endSession(browser);
          await signInNewUser(other);
        }
        return await browser.recordingFetch(request);
      },
    });
    const reasons = collectSignOuts(tab);
    await signInNewUser(tab);
    await me(tab);
    isIntercepting = true;
    await expectFailure(tab.DELETE('/customers/auth/sessions'), 'TOKEN_INVALID');
    await waitFor('the tab is notified', () => reasons.length === 1);
    expect(reasons).to.deep.equal(['SIGNED_IN_AS_ANOTHER']);
    expect(browser.traffic.filter(({ method }) => method === 'DELETE')).to.have.length(1);
  });

  it('does not call as another user whose sign-in the tab has not noticed', async () => {
    const browser = openBrowser();
    const [closed, other] = [browser.openTab(), browser.openTab()];
    const reasons = collectSignOuts(closed);
    await signInNewUser(closed);
    await me(closed);
    closed.close();
    await signInNewUser(other);
    await waitForExpiry(browser);
    await expectFailure(closed.DELETE('/customers/auth/sessions'), 'TOKEN_INVALID');
    expect(reasons).to.deep.equal(['SIGNED_IN_AS_ANOTHER']);
    expect(browser.traffic.filter(({ method }) => method === 'DELETE')).to.deep.equal([]);
  });
});
