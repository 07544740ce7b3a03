import { uniqueEmail } from '@platform/shared/testing/builders';
import { expect } from 'chai';
import { browserTest, DESKTOP, PHONE, saveScreenshot, type TestBrowser } from './support/browser-test.ts';
import { createDocsPage } from './support/docs-page.ts';
import { getPlatform } from './support/platform.ts';

const AUTHENTICATION = '/api';
const BACK_OFFICE = '/api/v1/docs';
/** The password of the demo accounts. */
const password = 'Password123!';
const EMPLOYEE = { email: 'employee@example.com', password };
const ADMINISTRATOR = { email: 'admin@example.com', password };

const SIZES = [
  ['desktop', DESKTOP],
  ['phone', PHONE],
] as const;

describe('documentation page', () => {
  const open = async ({ open: openPage }: TestBrowser, path: string) => {
    const page = await openPage(getPlatform().gatewayUrl + path);
    const docs = createDocsPage(page);
    await docs.ready();
    return { page, docs };
  };
  for (const [size, options] of SIZES) {
    it(
      `fills in token, fingerprint and session id after sign-in (${size})`,
      browserTest(async (openBrowser) => {
        const { page, docs } = await open(await openBrowser(options), AUTHENTICATION);
        expect(await page.title()).to.equal('Authentication');
        const introduction = page.locator('.info details').getByText('authenticator app or passkeys');
        expect(await introduction.isVisible(), 'closed at first').to.equal(false);
        expect(await introduction.count()).to.equal(1);
        await saveScreenshot(page, `authentication on ${size}`);

        const signedIn = await docs.execute('employeeSignIn', EMPLOYEE);
        expect(signedIn.status, signedIn.text).to.equal(200);
        await docs.expectNoOverflow();
        await saveScreenshot(page, `signed in on ${size}`);
        expect(await docs.isLocked('employeeMe')).to.equal(true);
        expect(await docs.isLocked('customerMe')).to.equal(false);

        expect(await docs.field('employeeMe', 'X-Fingerprint')).to.match(/^docs-page-\w+$/);
        expect(signedIn.text).to.include(await docs.field('employeeMe', 'X-Session-Id'));
        const me = await docs.execute('employeeMe');
        expect(me.status, me.text).to.equal(200);
        expect(me.text).to.include(EMPLOYEE.email);
        expect((await docs.execute('universalMe')).text).to.include('"kind": "employee"');
        await docs.expectNoOverflow();
        await saveScreenshot(page, `me on ${size}`);
      }),
    );

    it(
      `accepts a token in the authorization dialog and forgets it at a reload (${size})`,
      browserTest(async (openBrowser) => {
        const browser = await openBrowser(options);
        const { docs: authentication } = await open(browser, AUTHENTICATION);
        const signedIn = await authentication.execute('administratorSignIn', ADMINISTRATOR);
        const token = /"token": "([^"]+)"/.exec(signedIn.text)?.[1] ?? '';
        await browser.context.clearCookies();

        const { page, docs } = await open(await openBrowser(options), BACK_OFFICE);
        const dialog = await docs.openAuthorization();
        expect(await dialog.locator('.auth-container h4 code').allInnerTexts()).to.deep.equal([
          'jwt-admin-access',
        ]);
        await saveScreenshot(page, `authorization dialog on ${size}`);
        await dialog.locator('input').fill(token);
        await dialog.getByRole('button', { name: 'Apply credentials' }).click();
        await dialog.locator('.btn-done').click();
        expect((await docs.execute('administratorWorkspaceMe')).text).to.include(ADMINISTRATOR.email);
        const users = await docs.execute('listUsers');
        expect(users.status, users.text).to.equal(200);
        await docs.expectNoOverflow();
        await saveScreenshot(page, `users on ${size}`);
        expect(await page.evaluate('JSON.stringify(localStorage)')).not.to.include(token);
        await page.reload();
        await docs.ready();
        expect(await docs.isLocked('administratorWorkspaceMe')).to.equal(false);
      }),
    );
  }

  it(
    'lets no text become code or the address of a script',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser();
      browser.allowErrors(/requires 'Trusted/);
      const { page } = await open(browser, AUTHENTICATION);
      const attempts = [
        "document.createElement('script').src = '/api/swagger-ui-init.js'",
        "document.createElement('script').text = '1'",
      ];
      for (const attempt of attempts)
        expect(await page.evaluate(`try { ${attempt} } catch (error) { error.name }`), attempt).to.equal(
          'TypeError',
        );
    }),
  );

  it(
    'replaces the token after a refresh with the cookie',
    browserTest(async (openBrowser) => {
      const { docs } = await open(await openBrowser(), AUTHENTICATION);
      const signedIn = await docs.execute('employeeSignIn', EMPLOYEE);
      const refreshed = await docs.execute('employeeRefreshToken');
      expect(refreshed.status, refreshed.text).to.equal(200);
      const [first, second] = [signedIn, refreshed].map(({ text }) => /"token": "([^"]+)"/.exec(text)?.[1]);
      expect(second).to.be.a('string').that.does.not.equal(first);
      // The refresh revoked the first token, so this request succeeds only with the second.
      expect((await docs.execute('employeeMe')).status).to.equal(200);
    }),
  );

  it(
    'forgets the token at a reload and after sign-out, and a refresh fills it in again',
    browserTest(async (openBrowser) => {
      const { page, docs } = await open(await openBrowser(), AUTHENTICATION);
      expect((await docs.execute('administratorSignIn', ADMINISTRATOR)).status).to.equal(200);
      expect(await docs.isLocked('administratorMe')).to.equal(true);
      await page.reload();
      await docs.ready();
      expect(await docs.isLocked('administratorMe')).to.equal(false);
      expect((await docs.execute('administratorRefreshToken')).status).to.equal(200);
      expect((await docs.execute('administratorMe')).status).to.equal(200);
      expect((await docs.execute('administratorSignOut')).status).to.equal(204);
      expect(await docs.isLocked('administratorMe')).to.equal(false);
    }),
  );

  it(
    'keeps the fingerprint and the session id of each kind in a new tab',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser();
      const { docs } = await open(browser, AUTHENTICATION);
      await docs.execute('employeeSignIn', EMPLOYEE);
      const device = await docs.field('employeeMe', 'X-Fingerprint');
      const session = await docs.field('employeeRefreshToken', 'X-Session-Id');
      const newTab = await open(browser, AUTHENTICATION);
      expect(await newTab.docs.field('employeeSignIn', 'X-Fingerprint')).to.equal(device);
      expect(await newTab.docs.field('employeeRefreshToken', 'X-Session-Id')).to.equal(session);
      expect(await newTab.docs.field('customerRefreshToken', 'X-Session-Id')).to.equal('');
    }),
  );

  it(
    'signs up with the example bodies after a change of the e-mail only',
    browserTest(async (openBrowser) => {
      const { docs } = await open(await openBrowser(), AUTHENTICATION);
      const email = uniqueEmail();
      for (const [id, status] of [
        ['employeeSignUp', 201],
        ['employeeSignIn', 200],
      ] as const)
        expect((await docs.execute(id, { ...(await docs.body(id)), email })).status).to.equal(status);
      expect((await docs.execute('employeeVerificationEmailCheck')).text).to.include('"verified": false');
    }),
  );

  it(
    'signs in with each demo account by its example, and sends the example by default',
    browserTest(async (openBrowser) => {
      const { docs } = await open(await openBrowser(), AUTHENTICATION);
      for (const kind of ['customer', 'employee']) {
        const signedIn = await docs.execute(`${kind}SignIn`);
        expect(signedIn.status, signedIn.text).to.equal(200);
        expect(signedIn.text).to.include(`"email": "${kind}@example.com"`);
      }
      for (const name of ['operator', 'arbiter', 'admin']) {
        await docs.selectExample('administratorSignIn', name);
        const signedIn = await docs.execute('administratorSignIn');
        expect(signedIn.status, signedIn.text).to.equal(200);
        expect(signedIn.text).to.include(`"email": "${name}@example.com"`);
      }
    }),
  );

  for (const [size, options] of SIZES)
    it(
      `closes the groups at first, and finds operations with the search box (${size})`,
      browserTest(async (openBrowser) => {
        const { open: openPage } = await openBrowser(options);
        const page = await openPage(getPlatform().gatewayUrl + BACK_OFFICE);
        const docs = createDocsPage(page);
        await page.locator('.opblock-tag').first().waitFor();
        expect(await page.locator('.opblock').count()).to.equal(0);
        await docs.search('TEAMS/', ['getTeam', 'verifyTeam']);
        await docs.expectNoOverflow();
        await saveScreenshot(page, `search on ${size}`);
        // A tag: all of its operations.
        await docs.search('contact', [
          'submitLeadRequest',
          'submitSupportRequest',
          'listContactRequests',
          'getContactRequest',
          'editContactRequest',
          'addContactRequestNote',
          'replyToContactRequest',
        ]);
        await docs.search('', []);
      }),
    );
});
