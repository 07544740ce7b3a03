import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { browserTest, type TestBrowser } from './support/browser-test.ts';
import { findInstalledChromium, startInstalledChromium } from './support/chromium.ts';
import { getPlatform } from './support/platform.ts';

const INSTALLED = findInstalledChromium();

type Account = { email: string; password: string };
/** What a tab saw in its listener. */
type Ending = { reason: string; isSignedIn: boolean; status: string; email: string | undefined };

/** Each tab records what its listener sees. */
const RECORD = `
  window.endings = [];
  client.onSignedOut((reason) => {
    const { status, user } = client.getSnapshot();
    endings.push({ reason, isSignedIn: client.isSignedIn(), status, email: user?.email });
  });
`;

const openTab = async (browser: TestBrowser) => {
  const page = await browser.open(getPlatform().origins.allowed);
  await page.waitForFunction('window.client');
  await page.evaluate(RECORD);
  return page;
};

const signIn = async (page: Page, { email, password }: Account): Promise<void> => {
  await page.evaluate(`client.signIn(${JSON.stringify({ email, password })})`);
};
const readCurrentUser = (page: Page): Promise<string> =>
  page.evaluate(`client.me().then(({ user }) => user.email, ({ code }) => code)`);

const waitForEnding = async (page: Page, count: number): Promise<Ending> => {
  await page.waitForFunction(`endings.length >= ${count}`);
  const endings = await page.evaluate<Ending[]>('endings');
  expect(endings, 'one report of each session').to.have.length(count);
  return endings.at(-1) as Ending;
};
const waitForUser = async (page: Page, email: string): Promise<void> => {
  await page.waitForFunction(`client.getSnapshot().user?.email === ${JSON.stringify(email)}`);
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
    'agree after a sign-in as another user, and after a sign-out',
    tabTest(async (browser) => {
      const [first, second] = [await createAccount(), await createAccount()];
      const [a, b] = [await openTab(browser), await openTab(browser)];
      await signIn(a, first);
      await waitForUser(b, first.email);
      await signIn(a, second);
      expect(await waitForEnding(b, 1)).to.deep.equal({
        reason: 'SIGNED_IN_AS_ANOTHER',
        isSignedIn: true,
        status: 'signed-in',
        email: second.email,
      });
      expect(await readCurrentUser(b)).to.equal(second.email);
      await a.evaluate('client.signOut()');
      expect(await waitForEnding(b, 2)).to.include({ reason: 'SIGNED_OUT', status: 'signed-out' });
      expect(await a.evaluate('endings.map(({ reason }) => reason)')).to.deep.equal(['SIGNED_OUT']);
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
});
