import { expect } from 'chai';
import { browserTest, type TestBrowser } from './support/browser-test.ts';
import { createFrontendPage } from './support/frontend-page.ts';
import { createAccount, REJECTED } from './support/frontend-tab.ts';
import { getPlatform } from './support/platform.ts';

// Each test uses other demo people, because an identity belongs to one account.

type Frontend = ReturnType<typeof createFrontendPage>;
type Identities = { data: { id: string; email: string }[]; hasPassword: boolean };

const openPage = async (browser: TestBrowser, path = '/') => {
  const page = await browser.open(getPlatform().origins.allowed + path);
  return { page, frontend: createFrontendPage(page) };
};

/** Opens a browser without a session at the provider, in which 4xx responses are expected. */
const openFrontend = async (openBrowser: () => Promise<TestBrowser>, path?: string) => {
  const browser = await openBrowser();
  browser.allowErrors(REJECTED);
  return { browser, ...(await openPage(browser, path)) };
};

const signInAs = async (frontend: Frontend, email: string): Promise<string> => {
  await frontend.openProvider();
  return await frontend.returnAs(email);
};

const readMethods = async (frontend: Frontend): Promise<string[] | undefined> => {
  type Session = { isCurrent: boolean; methods: string[] };
  const sessions = await frontend.call<Session[]>('((client) => client.listSessions())');
  return sessions.find(({ isCurrent }) => isCurrent)?.methods;
};

describe('sign-in with a provider in a frontend', () => {
  it(
    'creates an account without a password, signs in again, and deletes the account',
    browserTest(async (openBrowser) => {
      const { page, frontend } = await openFrontend(openBrowser);
      const email = 'newcomer@example.com';
      expect(await signInAs(frontend, email)).to.equal(email);
      await frontend.expectSession(`Signed in as ${email}`);
      expect(page.url(), 'without the code').to.equal(`${getPlatform().origins.allowed}/`);
      const { data, hasPassword } = await frontend.call<Identities>('oidc.listIdentities');
      expect(hasPassword).to.equal(false);
      expect(await frontend.failedCall('oidc.unlinkIdentity', data[0]?.id, {})).to.equal(
        'LAST_SIGN_IN_METHOD',
      );

      await frontend.signOut();
      await page.getByRole('button', { name: 'Use Company instead' }).click();
      await frontend.expectSession(`Signed in as ${email}`);
      expect(await readMethods(frontend)).to.deep.equal(['oidc:company']);
      await frontend.call('account.deleteAccount', {});
      await frontend.expectSession('Signed out: SIGNED_OUT');
    }),
  );

  it(
    'links an identity to an account with another address, and unlinks it',
    browserTest(async (openBrowser) => {
      const { frontend } = await openFrontend(openBrowser);
      const account = await createAccount();
      const person = 'amelia.hartmann@example.net';
      expect(await frontend.signIn(account)).to.equal(account.email);
      await frontend.openProvider('Link Company');
      expect(await frontend.returnAs(person)).to.equal(`Linked ${person}`);
      await frontend.signOut();
      const again = await openFrontend(openBrowser);
      expect(await signInAs(again.frontend, person)).to.equal(account.email);

      const { data } = await again.frontend.call<Identities>('oidc.listIdentities');
      expect(data.map(({ email }) => email)).to.deep.equal([person]);
      const unlink = (currentPassword: string) => [data[0]?.id, { currentPassword }];
      const refused = await again.frontend.failedCall('oidc.unlinkIdentity', ...unlink('Wrong horse 1'));
      expect(refused).to.equal('CURRENT_PASSWORD_WRONG');
      await again.frontend.call('oidc.unlinkIdentity', ...unlink(account.password));
      const other = await openFrontend(openBrowser);
      expect(await signInAs(other.frontend, person), 'the account with the address').to.equal(person);
    }),
  );

  it(
    'shows that the user cancelled, that the address is not verified, and that the account has another kind',
    browserTest(async (openBrowser) => {
      const { page, frontend } = await openFrontend(openBrowser);
      await frontend.openProvider();
      expect(await frontend.returnAs()).to.equal('OIDC_DENIED');
      await frontend.expectSession('Signed out');
      expect(await signInAs(frontend, 'ingrid.solberg@example.net')).to.equal('OIDC_EMAIL_UNVERIFIED');
      expect(page.url()).to.equal(`${getPlatform().origins.allowed}/`);
      const administrator = await openFrontend(openBrowser, '/administrator');
      expect(await signInAs(administrator.frontend, 'customer@example.com')).to.equal('EMAIL_TAKEN');
    }),
  );

  it(
    'survives the back button, a reload and a second use of the callback URL',
    browserTest(async (openBrowser) => {
      const { browser, page, frontend } = await openFrontend(openBrowser);
      await frontend.openProvider();
      await page.goBack();
      await frontend.expectSession('Signed out');
      const returned = page.waitForRequest(/\?code=/);
      expect(await signInAs(frontend, 'priya.raman@example.net')).to.equal('priya.raman@example.net');
      const callbackUrl = (await returned).url();
      await page.reload();
      expect(await frontend.firstResult()).to.equal('priya.raman@example.net');
      await page.goBack();
      await page.goBack();
      await frontend.expectSession('Signed in as priya.raman@example.net');

      const second = createFrontendPage(await browser.open(callbackUrl));
      expect(await second.firstResult()).to.equal('OIDC_STATE_INVALID');
      expect(await second.currentUser()).to.equal('priya.raman@example.net');
      const foreign = createFrontendPage(await (await openBrowser()).open(callbackUrl));
      expect(await foreign.firstResult(), 'in another browser').to.equal('OIDC_STATE_INVALID');
    }),
  );
});
