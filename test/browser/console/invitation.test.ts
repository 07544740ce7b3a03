import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { expect } from 'chai';
import { browserTest } from '../support/browser-test.ts';
import {
  callAs,
  createColleague,
  ENGLISH,
  GERMAN,
  inbox,
  openConsole,
  openSignedIn,
  openTab,
  REJECTED,
  readPolicyViolations,
  setUpApp,
  signIn,
  waitForHeading,
} from './console-tab.ts';

/** Invites somebody as an administrator does, and returns the code of the mail. */
const invite = async (email: string, role: 'OPERATOR' | 'ARBITER'): Promise<string> => {
  const administrator = await createColleague('ADMIN');
  const { status, text } = await callAs(administrator, 'POST', '/administrator/invitations', { email, role });
  expect(status, text).to.equal(201);
  const mail = await inbox().untilMail(email, '');
  return /\b[a-z2-7]{4}(?:-[a-z2-7]{4})+\b/.exec(mail.text)?.[0] ?? '';
};

describe('invitation in the console', () => {
  it(
    'creates the account from the link, whose code leaves the address at once, and signs in',
    browserTest(async (openBrowser) => {
      const email = uniqueEmail();
      const code = await invite(email, 'OPERATOR');
      const page = await openConsole(await openBrowser(ENGLISH), `invitation#${code}`);
      await page.getByText(`You are invited as Operator. Your account is ${email}.`).waitFor();
      expect(page.url()).to.match(/\/console\/invitation$/);
      await page.locator('input[name=password]:focus').waitFor();
      await page.keyboard.type(PASSWORD);
      await page.keyboard.press('Enter');
      await waitForHeading(page, 'Home');
      expect(await readPolicyViolations(page)).to.deep.equal([]);
    }),
  );

  it(
    'is accepted once, although the sign-in failed at first',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser(ENGLISH);
      browser.allowErrors(/status of 503/);
      const code = await invite(uniqueEmail(), 'OPERATOR');
      const page = await openConsole(browser, `invitation#${code}`);
      await page.route(
        '**/sign-in',
        (route) => route.fulfill({ status: 503, json: { code: 'SERVICE_UNAVAILABLE', message: 'Later' } }),
        { times: 1 },
      );
      await page.locator('input[name=password]:focus').waitFor();
      await page.keyboard.type(PASSWORD);
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('The service cannot be reached').waitFor();
      await page.getByRole('button', { name: 'Accept and sign in' }).click();
      await waitForHeading(page, 'Home');
    }),
  );

  it(
    'explains an expired code in German and accepts a typed code',
    browserTest(async (openBrowser) => {
      const page = await openTab(openBrowser, GERMAN, '/console/invitation#aaaa-bbbb');
      await page.getByText('Bitten Sie um eine neue Einladung.').waitFor();
      const email = uniqueEmail();
      await page.getByLabel('Code aus der E-Mail').fill(await invite(email, 'OPERATOR'));
      await page.keyboard.press('Enter');
      await page.getByText(`Ihr Konto ist ${email}.`).waitFor();
    }),
  );
});

describe('forced enrolment in the console', () => {
  it(
    'does not outlive the session of its person',
    browserTest(async (openBrowser) => {
      const page = await openSignedIn(openBrowser, 'ARBITER', { allows: [REJECTED] });
      await waitForHeading(page, 'Protect your account');
      await page.getByRole('button', { name: 'Sign out' }).click();
      await waitForHeading(page, 'Sign in');
      await signIn(page, await createColleague('OPERATOR'));
      await waitForHeading(page, 'Home');
    }),
  );

  it(
    'opens the console once an authenticator app is set up and its recovery codes are saved',
    browserTest(async (openBrowser) => {
      const person = await createColleague('ARBITER');
      const page = await openSignedIn(openBrowser, person, { allows: [REJECTED] });
      await waitForHeading(page, 'Protect your account');
      await setUpApp(page, person);
      await waitForHeading(page, 'Home');
    }),
  );
});
