import { expect } from 'chai';
import { browserTest, type TestBrowser } from './support/browser-test.ts';
import { createFrontendPage } from './support/frontend-page.ts';
import { createAccount, openSignedInTab, openTab, REJECTED } from './support/frontend-tab.ts';
import { getPlatform } from './support/platform.ts';

type Passkey = { id: string; name: string; lastUsedAt: string | null };

/** Opens a tab, signs in as a new customer and adds a passkey. */
const openWithPasskey = async (browser: TestBrowser, name = 'Laptop') => {
  const tab = await openSignedInTab(browser);
  const passkey = await tab.frontend.call<Passkey>('passkeys.registerPasskey', { ...tab.confirmation, name });
  return { ...tab, passkey };
};

/** The client renews a challenge after four of its five minutes. */
const CHALLENGE_MILLISECONDS = 240_000;

type Tab = Awaited<ReturnType<typeof openTab>>;

const readSession = ({ page }: Tab): Promise<{ methods: string[]; staysSignedIn: boolean }> =>
  page.evaluate('client.listSessions().then((all) => all.find(({ isCurrent }) => isCurrent))');
const readMethods = async (tab: Tab): Promise<string[]> => (await readSession(tab)).methods;

/** Starts a call and keeps its result in the page, because its dialog waits for the user. */
const start = async ({ page }: Tab, call: string): Promise<void> => {
  await page.evaluate(
    `void (window.pending = ${call}.then(() => 'resolved', ({ code, message }) => code ?? message))`,
  );
};
const finish = ({ page }: Tab): Promise<string> => page.evaluate('pending');

/** Delays the dialog until the test calls `confirmDialog` as the user. */
const DELAY_DIALOG = `
  const create = navigator.credentials.create.bind(navigator.credentials);
  navigator.credentials.create = (options) =>
    new Promise((resolve, reject) => {
      window.confirmDialog = () => void create(options).then(resolve, reject);
    });
`;

const OBSERVE_DIALOG = `
  const get = navigator.credentials.get.bind(navigator.credentials);
  window.dialogOpened = new Promise((resolve) => {
    navigator.credentials.get = (options) => {
      resolve();
      return get(options);
    };
  });
  undefined;
`;

describe('passkeys in a frontend', () => {
  it(
    'sign in without e-mail and password',
    browserTest(async (openBrowser) => {
      const tab = await openWithPasskey(await openBrowser());
      const { frontend, authenticator, email, passkey } = tab;
      expect(passkey).to.include({ name: 'Laptop', lastUsedAt: null });
      expect(await authenticator.countPasskeys()).to.equal(1);
      await frontend.signOut();
      expect(await frontend.signInWithPasskey()).to.equal(email);
      expect(await readMethods(tab)).to.deep.equal(['passkey']);
      const [stored] = await frontend.call<Passkey[]>('account.listPasskeys');
      expect(stored).to.deep.include({ id: passkey.id, name: 'Laptop' });
      expect(stored?.lastUsedAt).to.be.a('string');
    }),
  );

  it(
    'complete a sign-in with the password as the second step, in all tabs',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser();
      browser.allowErrors(REJECTED);
      const tab = await openWithPasskey(browser);
      const { frontend, account } = tab;
      await frontend.call('account.switchSecondStep', { ...tab.confirmation, isRequired: true });
      await frontend.signOut();
      const second = await openTab(browser);
      await tab.page.bringToFront();
      expect(await frontend.signIn(account)).to.equal('Second step: passkey, recovery-code');
      expect(await frontend.continueWithPasskey()).to.equal(account.email);
      expect(await readMethods(tab)).to.have.members(['password', 'passkey']);
      await second.frontend.expectSession(`Signed in as ${account.email}`);
    }),
  );

  it(
    'sign in from a form field, with a new challenge before the first one expires',
    browserTest(async (openBrowser) => {
      const tab = await openWithPasskey(await openBrowser());
      const { page, frontend, authenticator, email } = tab;
      await frontend.signOut();
      await page.clock.install();
      await authenticator.setUserPresent(false);
      await page.evaluate(OBSERVE_DIALOG);
      await start(tab, 'passkeys.signInWithPasskey(client, { autofill: true, staySignedIn: true })');
      // A jump of the clock before this point would only cause a timeout of the request.
      await page.evaluate('dialogOpened');
      await authenticator.setUserPresent(true);
      const again = page.waitForResponse(/\/sign-in\/passkey\/options$/);
      await page.clock.fastForward(CHALLENGE_MILLISECONDS);
      await again;
      expect(await finish(tab)).to.equal('resolved');
      await frontend.expectSession(`Signed in as ${email}`);
      expect(await readSession(tab)).to.deep.include({ methods: ['passkey'], staysSignedIn: true });
    }),
  );

  it(
    'are deleted from the authenticator when the user removes them from the account',
    browserTest(async (openBrowser) => {
      const { frontend, authenticator, confirmation, passkey } = await openWithPasskey(await openBrowser());
      await frontend.call('account.deletePasskey', passkey.id, confirmation);
      expect(await authenticator.countPasskeys()).to.equal(0);
    }),
  );

  it(
    'show their names, and do not sign in after a browser without the Signal API removed them',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser();
      browser.allowErrors(REJECTED);
      const { page, frontend, account, confirmation, passkey } = await openWithPasskey(browser);
      await page.evaluate('delete PublicKeyCredential.signalAllAcceptedCredentials');
      const renamed = await frontend.call('account.renamePasskey', passkey.id, 'Work laptop');
      expect(renamed).to.include({ id: passkey.id, name: 'Work laptop' });
      await frontend.call('account.deletePasskey', passkey.id, confirmation);
      expect(await frontend.call('account.listPasskeys')).to.deep.equal([]);
      await frontend.signOut();
      expect(await frontend.signInWithPasskey()).to.equal('PASSKEY_NOT_FOUND');
      await frontend.expectSession('Signed out: SIGNED_OUT');
      expect(await frontend.signIn(account), 'without a second step').to.equal(account.email);
    }),
  );

  it(
    'change nothing when the user cancels',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser();
      const { frontend, authenticator, confirmation } = await openSignedInTab(browser);
      const passkey = { ...confirmation, name: 'Laptop' };
      await authenticator.setUserVerified(false);
      expect(await frontend.failedCall('passkeys.registerPasskey', passkey)).to.equal('PASSKEY_CANCELLED');
      expect(await frontend.call('account.listPasskeys')).to.deep.equal([]);
      await authenticator.setUserVerified(true);
      await frontend.call('passkeys.registerPasskey', passkey);
      await frontend.signOut();
      await authenticator.setUserVerified(false);
      expect(await frontend.signInWithPasskey()).to.equal('PASSKEY_CANCELLED');
      await frontend.expectSession('Signed out: SIGNED_OUT');
    }),
  );

  it(
    'report a device without a passkey, and a device that already has one',
    browserTest(async (openBrowser) => {
      const { frontend, confirmation } = await openWithPasskey(await openBrowser());
      const again = { ...confirmation, name: 'Again' };
      expect(await frontend.failedCall('passkeys.registerPasskey', again)).to.equal('PASSKEY_EXISTS');
      const { frontend: other } = await openTab(await openBrowser());
      expect(await other.signInWithPasskey()).to.equal('PASSKEY_CANCELLED');
    }),
  );

  it(
    'reject with the reason of an aborted signal, and when another dialog replaces theirs',
    browserTest(async (openBrowser) => {
      const tab = await openTab(await openBrowser());
      const { page, authenticator } = tab;
      await page.waitForFunction('window.passkeys');
      await authenticator.setUserPresent(false);
      const waiting = page.waitForResponse(/\/sign-in\/passkey\/options$/);
      await page.evaluate('window.controller = new AbortController()');
      await start(tab, 'passkeys.signInWithPasskey(client, { signal: controller.signal })');
      await waiting;
      await page.evaluate(`controller.abort(new Error('Left the page'))`);
      expect(await finish(tab)).to.equal('Left the page');

      const replaced = page.evaluate(`passkeys.signInWithPasskey(client).catch(({ code }) => code)`);
      await page.waitForResponse(/\/sign-in\/passkey\/options$/);
      await page.evaluate('window.controller = new AbortController()');
      await start(tab, 'passkeys.signInWithPasskey(client, { signal: controller.signal })');
      expect(await replaced).to.equal('PASSKEY_ABORTED');
      await page.evaluate(`controller.abort(new Error('Left the page'))`);
      expect(await finish(tab)).to.equal('Left the page');
    }),
  );

  it(
    'are never added to the account of another user who signs in while the dialog is open',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser();
      const tab = await openSignedInTab(browser);
      const second = await openTab(browser);
      // The second tab refreshes, which replaces the token of the first tab.
      expect(await second.frontend.firstResult()).to.equal(tab.email);
      await tab.page.evaluate(DELAY_DIALOG);
      const passkey = { ...tab.confirmation, name: 'Laptop' };
      await start(tab, `passkeys.registerPasskey(client, ${JSON.stringify(passkey)})`);
      await tab.page.waitForFunction('window.confirmDialog');
      const another = await createAccount();
      expect(await second.frontend.signIn(another)).to.equal(another.email);
      await tab.page.bringToFront();
      await tab.page.evaluate('confirmDialog()');
      expect(await finish(tab)).to.equal('TOKEN_INVALID');
      await tab.frontend.expectSession(`Signed in as ${another.email}`);
      expect(await tab.frontend.call('account.listPasskeys')).to.deep.equal([]);
    }),
  );

  it(
    'fail on an IP address, without a request',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser();
      const page = await browser.open(getPlatform().origins.allowed);
      await page.waitForFunction('window.passkeys');
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      expect(await page.evaluate('passkeys.isPasskeyAvailable()')).to.equal(false);
      expect(await createFrontendPage(page).signInWithPasskey()).to.equal('PASSKEY_UNAVAILABLE');
      expect(requests).to.deep.equal([]);
      const { page: localhost } = await openTab(browser);
      await localhost.waitForFunction('window.passkeys');
      expect(await localhost.evaluate('passkeys.isPasskeyAvailable()')).to.equal(true);
    }),
  );
});
