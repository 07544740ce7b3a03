import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { browserTest, type TestBrowser } from './support/browser-test.ts';
import { findInstalledChromium, startInstalledChromium } from './support/chromium.ts';
import { getPlatform } from './support/platform.ts';

const INSTALLED = findInstalledChromium();

type Account = { email: string; password: string };
/** Builds the state of a page from the events alone, and records whether each event was possible. */
const FOLLOW_EVENTS = `
  window.followed = { email: undefined, reasons: [], impossible: [] };
  client.on('signed-out', ({ reason }) => {
    if (followed.email === undefined) followed.impossible.push(reason);
    followed.email = undefined;
    followed.reasons.push(reason);
  });
  client.on('signed-in', ({ user }) => {
    if (followed.email !== undefined) followed.impossible.push(user.email);
    followed.email = user.email;
  });
`;

const openTab = async (browser: TestBrowser) => {
  const page = await browser.open(getPlatform().origins.allowed);
  await page.waitForFunction('window.client');
  await page.evaluate(FOLLOW_EVENTS);
  return page;
};

const signIn = async (page: Page, { email, password }: Account): Promise<void> => {
  await page.evaluate(`client.signIn(${JSON.stringify({ email, password })})`);
};
const readCurrentUser = (page: Page): Promise<string> =>
  page.evaluate(`client.me().then(({ user }) => user.email, ({ code }) => code)`);

const waitForUser = async (page: Page, email: string): Promise<void> => {
  await page.waitForFunction(`client.getSnapshot().user?.email === ${JSON.stringify(email)}`);
};
const expectFollowed = async (page: Page, email: string | undefined, reasons: string[]): Promise<void> => {
  await page.waitForFunction(`followed.reasons.length === ${reasons.length}`);
  expect(await page.evaluate('client.getSnapshot().user?.email')).to.equal(email);
  expect(await page.evaluate('followed')).to.deep.equal({ email, reasons, impossible: [] });
};

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

describe(`tabs of ${INSTALLED ?? 'the packaged headless shell, because no whole Chromium is installed'}`, () => {
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
    'follow 21 changes of the user and a sign-out by events in one order',
    tabTest(async (browser) => {
      const [first, second] = [await createAccount(), await createAccount()];
      const tabs = [await openTab(browser), await openTab(browser)] as const;
      const reasons: string[] = [];
      for (const [change, { email, password }] of Array(11).fill([first, second]).flat().entries()) {
        if (change > 0) reasons.push('SIGNED_IN_AS_ANOTHER');
        await signIn(tabs[change % 3 === 0 ? 1 : 0], { email, password });
        for (const tab of tabs) {
          await waitForUser(tab, email);
          await expectFollowed(tab, email, reasons);
          expect(await readCurrentUser(tab)).to.equal(email);
        }
      }
      await tabs[0].evaluate('client.signOut()');
      for (const tab of tabs) await expectFollowed(tab, undefined, [...reasons, 'SIGNED_OUT']);
    }),
  );

  it(
    'refresh within three seconds while a blocked tab holds the lock',
    tabTest(async (browser) => {
      const account = await createAccount();
      const [blocked, second] = [await openTab(browser), await openTab(browser)];
      await signIn(blocked, account);
      // Tabs that share a process cannot block each other without blocking themselves.
      const block = INSTALLED
        ? 'while (Date.now() < end);'
        : 'return new Promise((resolve) => setTimeout(resolve, 8_000));';
      const holding = blocked.evaluate(
        `navigator.locks.request('platform.customer', () => { const end = Date.now() + 8_000; ${block} })`,
      );
      const isHeld = 'navigator.locks.query().then(({ held }) => held.length > 0)';
      await second.waitForFunction(isHeld);
      // After a reload, the tab has no access token.
      await second.reload();
      const startedAt = performance.now();
      await second.waitForFunction('window.client');
      expect(await readCurrentUser(second)).to.equal(account.email);
      expect(performance.now() - startedAt).to.be.below(3_000);
      expect(await second.evaluate(isHeld)).to.equal(true);
      await holding;
    }),
  );

  it(
    'share a sign-in when both were opened at the same time on a new device',
    tabTest(async (browser) => {
      const account = await createAccount();
      const [a, b] = await Promise.all([openTab(browser), openTab(browser)]);
      await signIn(a, account);
      await waitForUser(b, account.email);
      expect(await readCurrentUser(b)).to.equal(account.email);
    }),
  );

  it(
    'get no 401 while another tab opens, because it gets their token instead of a new one',
    tabTest(async (browser) => {
      const first = await openTab(browser);
      await signIn(first, await createAccount());
      await first.evaluate(`
        window.calls = 0;
        const poll = () => client.me().then(() => { calls += 1; setTimeout(poll, 20); });
        void poll();
      `);
      for (let count = 0; count < 5; count += 1) {
        const other = await openTab(browser);
        await readCurrentUser(other);
        await other.reload();
        await other.waitForFunction('window.client');
        await readCurrentUser(other);
        await other.close();
      }
      // browserTest fails if the console of a tab has an error.
      expect(await first.evaluate('calls')).to.be.greaterThan(20);
    }),
  );
});
