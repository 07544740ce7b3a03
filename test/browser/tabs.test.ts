import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { browserTest, type TestBrowser } from './support/browser-test.ts';
import { findInstalledChromium, startInstalledChromium } from './support/chromium.ts';
import { createFrontendPage } from './support/frontend-page.ts';
import { getPlatform } from './support/platform.ts';

const ROUNDS = 50;
const LIMIT_MILLISECONDS = 1_000;
const INSTALLED = findInstalledChromium();

type Account = { email: string; password: string };
type State = { isSignedIn: boolean; status: string; email: string | undefined };
/** What a tab saw in its listener. */
type Ending = State & { reason: string; at: number };
type Change = State & { at: number };

/** Each tab records what its listeners see. */
const RECORD = `
  const read = () => ({
    isSignedIn: client.isSignedIn(),
    status: client.getSnapshot().status,
    email: client.getSnapshot().user?.email,
    at: Date.now(),
  });
  Object.assign(window, { endings: [], changes: [] });
  client.onSignedOut((reason) => endings.push({ reason, ...read() }));
  client.subscribe(() => changes.push(read()));
`;

const openTab = async (browser: TestBrowser) => {
  const page = await browser.open(getPlatform().origins.allowed);
  await page.waitForFunction('window.client');
  await page.evaluate(RECORD);
  return page;
};

/** Resolves with the time at which the call was complete in the page. */
const callIn = (page: Page, call: string): Promise<number> =>
  page.evaluate<number>(`client.${call}.then(() => Date.now())`);
const signIn = (page: Page, { email, password }: Account): Promise<number> =>
  callIn(page, `signIn(${JSON.stringify({ email, password })})`);
const readCurrentUser = (page: Page): Promise<string> =>
  page.evaluate(`client.me().then(({ user }) => user.email, ({ code }) => code)`);

const waitForEnding = async (page: Page, count: number): Promise<Ending> => {
  await page.waitForFunction(`endings.length >= ${count}`);
  const endings = await page.evaluate<Ending[]>('endings');
  expect(endings, 'one report of each session').to.have.length(count);
  return endings.at(-1) as Ending;
};
const waitForSignIn = async (page: Page, email: string): Promise<Change> => {
  await page.waitForFunction(`changes.at(-1)?.email === ${JSON.stringify(email)}`);
  return await page.evaluate<Change>(`changes.findLast((change, index) =>
    change.email === ${JSON.stringify(email)} && changes[index - 1]?.email !== change.email)`);
};

type Ended = { code: string; milliseconds: number };

/** How a call in the page ends, and after which time. */
const timeCall = (page: Page, call: string): Promise<Ended> =>
  page.evaluate<Ended>(`(async () => {
    const start = performance.now();
    const code = await ${call}.then(() => 'resolved', ({ code, name }) => code ?? name);
    return { code, milliseconds: Math.round(performance.now() - start) };
  })()`);

const SIGNAL = `{ signal: AbortSignal.timeout(${LIMIT_MILLISECONDS}) }`;
const WITH_SIGNAL = [
  `client.me(${SIGNAL})`,
  `client.GET('/auth/me', ${SIGNAL})`,
  `client.changePassword({ currentPassword: 'a', newPassword: 'b' }, ${SIGNAL})`,
  `client.signIn({ email: 'nobody@example.com', password: 'Battery staple 2' }, ${SIGNAL})`,
  `client.signOut(${SIGNAL})`,
];
const PUBLIC_CALL = `client.POST('/contact/lead', { body: { name: 'Ada', email: 'ada@example.com' } })`;

/** Whether the second tab responds while a script blocks the first one. */
const areSeparateProcesses = async (first: Page, second: Page): Promise<boolean> => {
  let isBlocked = true;
  const blocking = first.evaluate('const end = Date.now() + 3_000; while (Date.now() < end);').then(() => {
    isBlocked = false;
  });
  for (let call = 0; call < 20; call += 1) await second.evaluate('1');
  const isSeparate = isBlocked;
  await blocking;
  return isSeparate;
};

describe(`tabs of ${INSTALLED ?? 'the packaged headless shell, because no whole Chromium is installed'}`, function () {
  this.timeout(600_000);
  let installed: Browser | undefined;
  before('start the whole Chromium', async () => {
    if (INSTALLED) installed = await startInstalledChromium(INSTALLED);
  });
  after('stop it', () => installed?.close());
  const tabTest = (test: (browser: TestBrowser) => Promise<void>) =>
    browserTest(
      async (openBrowser) => test(await openBrowser()),
      () => installed,
    );
  const createAccount = () => createAuthClient(getPlatform().gatewayUrl, CUSTOMER).createAccount();

  it(
    'run in separate processes of a whole Chromium',
    tabTest(async (browser) => {
      const [first, second] = [await openTab(browser), await openTab(browser)];
      if (INSTALLED) expect(await areSeparateProcesses(first, second)).to.equal(true);
    }),
  );

  it(
    `agree within a second of each of ${ROUNDS} sign-ins as another user and ${ROUNDS} sign-outs`,
    tabTest(async (browser) => {
      const accounts = [await createAccount(), await createAccount()] as const;
      const [a, b] = [await openTab(browser), await openTab(browser)];
      await signIn(a, accounts[0]);
      await waitForSignIn(b, accounts[0].email);
      for (let round = 1; round <= ROUNDS; round += 1) {
        const account = accounts[round % 2] as Account;
        const signedInAt = await signIn(a, account);
        const replaced = await waitForEnding(b, 2 * round - 1);
        expect(replaced).to.include({
          reason: 'SIGNED_IN_AS_ANOTHER',
          status: 'signed-in',
          email: account.email,
        });
        expect(replaced.at - signedInAt).to.be.below(LIMIT_MILLISECONDS);
        expect(await readCurrentUser(b), `round ${round}`).to.equal(account.email);

        const signedOutAt = await callIn(a, 'signOut()');
        const ended = await waitForEnding(b, 2 * round);
        expect(ended).to.include({ reason: 'SIGNED_OUT', status: 'signed-out', isSignedIn: false });
        expect(ended.at - signedOutAt).to.be.below(LIMIT_MILLISECONDS);

        const againAt = await signIn(a, account);
        expect((await waitForSignIn(b, account.email)).at - againAt).to.be.below(LIMIT_MILLISECONDS);
      }
      const own = await a.evaluate<Ending[]>('endings');
      expect(own.map(({ reason }) => reason)).to.deep.equal(Array(ROUNDS).fill('SIGNED_OUT'));
    }),
  );

  it(
    'share a sign-in when both were opened at the same time on a new device',
    tabTest(async (browser) => {
      const account = await createAccount();
      const [a, b] = await Promise.all([openTab(browser), openTab(browser)]);
      await signIn(a, account);
      await waitForSignIn(b, account.email);
      expect(await readCurrentUser(b)).to.equal(account.email);
    }),
  );

  it(
    'end their calls at the signal, and share one timeout, while the refresh gets no response',
    tabTest(async (browser) => {
      const account = await createAccount();
      const [a, b] = [await openTab(browser), await openTab(browser)];
      await signIn(a, account);
      await waitForSignIn(b, account.email);
      browser.allowErrors(/Failed to load resource/);
      let refreshes = 0;
      await browser.context.route('**/refresh/token', () => {
        refreshes += 1;
      });
      // Without a token; each page begins a call when it is loaded.
      await Promise.all([a.reload(), b.reload()]);
      await a.waitForFunction('window.client');
      await b.waitForFunction('window.client');
      const started = Date.now();
      const withoutSignal = [a, b].map((page) => timeCall(page, 'client.me()'));
      for (const page of [a, b]) {
        const { code, milliseconds } = await timeCall(page, PUBLIC_CALL);
        expect(code, 'a public call').to.equal('resolved');
        expect(milliseconds).to.be.below(LIMIT_MILLISECONDS);
      }
      const ended = await Promise.all(
        [a, b].flatMap((page) => WITH_SIGNAL.map((call) => timeCall(page, call))),
      );
      for (const { code, milliseconds } of ended) {
        expect(code).to.equal('GATEWAY_UNREACHABLE');
        expect(milliseconds).to.be.within(LIMIT_MILLISECONDS - 50, LIMIT_MILLISECONDS + 200);
      }
      const failed = await Promise.all(withoutSignal);
      for (const { code } of failed) expect(code).to.equal('GATEWAY_UNREACHABLE');
      expect(Date.now() - started).to.be.below(10_000 + LIMIT_MILLISECONDS);
      expect(refreshes).to.equal(1);
      await browser.context.unrouteAll();
      for (const page of [a, b]) expect(await readCurrentUser(page)).to.equal(account.email);
    }),
  );

  it(
    'sign out locally while the gateway is away, and stay signed out after a reload',
    tabTest(async (browser) => {
      const account = await createAccount();
      const [a, b] = [await openTab(browser), await openTab(browser)];
      await signIn(a, account);
      await waitForSignIn(b, account.email);
      browser.allowErrors(/Failed to load resource: net::ERR_FAILED/);
      await browser.context.route(`${getPlatform().gatewayUrl}/**`, (route) => route.abort());
      const failure = await a.evaluate('client.signOut().catch(({ code }) => code)');
      expect(failure).to.equal('GATEWAY_UNREACHABLE');
      expect(await a.evaluate('client.isSignedIn()')).to.equal(true);

      await callIn(a, 'signOut({ localOnly: true })');
      expect(await waitForEnding(b, 1)).to.include({ reason: 'SIGNED_OUT', isSignedIn: false });
      await browser.context.unrouteAll();
      const requests: string[] = [];
      browser.context.on('request', (request) => requests.push(request.url()));
      for (const page of [a, b]) {
        await page.reload();
        await createFrontendPage(page).expectSession('Signed out');
        expect(await page.evaluate('JSON.stringify(localStorage)')).not.to.include(account.email);
      }
      expect(requests.filter((url) => url.startsWith(getPlatform().gatewayUrl))).to.deep.equal([]);
      expect(await browser.context.cookies(), 'the cookie is still there').to.have.length(1);
    }),
  );
});
