import { codeIn } from '@platform/shared/testing/inbox';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { browserTest } from '../support/browser-test.ts';
import { addVirtualAuthenticator } from '../support/virtual-authenticator.ts';
import {
  chooseInAccountMenu,
  consoleUrl,
  createColleague,
  ENGLISH,
  GERMAN,
  inbox,
  openConsole,
  openSignedIn,
  openTab,
  REJECTED,
  readPolicyViolations,
  saveRecoveryCodes,
  setUpApp,
  signIn,
  signInByKeyboard,
  signOut,
  waitForHeading,
} from './console-tab.ts';

const NEW_PASSWORD = 'A better horse 2';

const openAccount = async (page: Page): Promise<void> => {
  await chooseInAccountMenu(page, 'Your account');
  await waitForHeading(page, 'Your account');
};

const signOutAndWait = async (page: Page): Promise<void> => {
  await signOut(page);
  await waitForHeading(page, 'Sign in');
};

describe('sign-in to the console', () => {
  it(
    'works by keyboard alone, and says what is wrong',
    browserTest(async (openBrowser) => {
      const person = await createColleague('OPERATOR');
      const page = await openTab(openBrowser, ENGLISH, '/console/');
      await signInByKeyboard(page, { ...person, password: 'Wrong horse 1' });
      await page.getByRole('alert').getByText('Email and password don’t match.').waitFor();
      expect(await page.locator('input[name=email]').inputValue()).to.equal(person.email);
      await page.locator('input[name=password]').focus();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type(person.password);
      await page.keyboard.press('Enter');
      await waitForHeading(page, 'Home');
      await page.getByRole('main').getByText(person.email).waitFor();
      expect(await page.title()).to.equal('Home – Marketplace');
      expect(await readPolicyViolations(page)).to.deep.equal([]);
    }),
  );

  it(
    'speaks German, and judges empty and mistyped fields below them',
    browserTest(async (openBrowser) => {
      const page = await openConsole(await openBrowser(GERMAN));
      const person = await createColleague('OPERATOR');
      await waitForHeading(page, 'Anmelden');
      await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
      const email = page.locator('input[name=email]');
      expect(await email.getAttribute('aria-invalid')).to.equal('true');
      await page.getByText('Bitte geben Sie Ihre E-Mail-Adresse ein.').first().waitFor();
      await page.keyboard.type('ada');
      await page.getByText('Bitte geben Sie eine gültige E-Mail-Adresse ein (name@beispiel.de).').waitFor();
      await signIn(page, person);
      await waitForHeading(page, 'Start');
      expect(await page.evaluate('document.documentElement.lang')).to.equal('de');
      await page.locator('.account-button').click();
      await page.getByRole('menuitemradio', { name: 'English' }).click();
      await waitForHeading(page, 'Home');
      await page.reload();
      await waitForHeading(page, 'Home');
    }),
  );

  it(
    'asks for the code of the app, survives a reload, and takes a recovery code',
    browserTest(async (openBrowser) => {
      const person = await createColleague('OPERATOR');
      const page = await openSignedIn(openBrowser, person, { allows: [REJECTED] });
      await openAccount(page);
      const { secret, recoveryCodes } = await setUpApp(page, person);
      await page.getByText('10 of 10 left').waitFor();
      await signOutAndWait(page);

      await signIn(page, person);
      await waitForHeading(page, 'Verify it’s you');
      await page.reload();
      await page.locator('input[name=totpCode]:focus').waitFor();
      await page.keyboard.type('000 000');
      await page.keyboard.press('Enter');
      await page.getByText('That code is wrong. Codes change every 30 seconds.').waitFor();
      await page.locator('input[name=totpCode]').fill(totpCode(secret, 1));
      await page.keyboard.press('Enter');
      await waitForHeading(page, 'Your account');
      await signOutAndWait(page);

      await signIn(page, person);
      await waitForHeading(page, 'Verify it’s you');
      await page.goBack();
      await waitForHeading(page, 'Sign in');
      expect(await page.locator('input[name=email]').inputValue()).to.equal(person.email);
      await signIn(page, person);
      await page.getByRole('button', { name: 'Use a recovery code' }).click();
      await page.locator('input[name=recoveryCode]').fill(recoveryCodes[0] ?? '');
      await page.keyboard.press('Enter');
      await waitForHeading(page, 'Your account');
      await page.getByText('9 of 10 left').waitFor();
      expect(await readPolicyViolations(page)).to.deep.equal([]);
    }),
  );

  it(
    'takes a passkey alone, and as the second step',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser(ENGLISH);
      browser.allowErrors(REJECTED);
      const person = await createColleague('OPERATOR');
      // The virtual authenticator confirms autofill at once, which would sign in before the form.
      await browser.context.addInitScript(
        'if (globalThis.PublicKeyCredential) PublicKeyCredential.isConditionalMediationAvailable = async () => !sessionStorage.getItem("manual")',
      );
      const page = await openConsole(browser);
      await page.evaluate('sessionStorage.setItem("manual", "yes")');
      await page.reload();
      await addVirtualAuthenticator(page);
      await signIn(page, person);
      await openAccount(page);
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
      await dialog.getByLabel('Name').fill('Laptop');
      await dialog.getByLabel('Current password', { exact: true }).fill(person.password);
      await dialog.getByRole('button', { name: 'Add a passkey' }).click();
      await page.getByRole('status').getByText('The passkey “Laptop” was added.').waitFor();
      await page.getByRole('switch', { name: 'Ask for a second step after the password' }).click();
      await page.getByLabel('Current password', { exact: true }).fill(person.password);
      await page.keyboard.press('Enter');
      await saveRecoveryCodes(page);
      await page.getByRole('status').getByText('The second step is on.').waitFor();
      await signOutAndWait(page);

      await signIn(page, person);
      await waitForHeading(page, 'Verify it’s you');
      await page.getByRole('button', { name: 'Use your passkey' }).click();
      await waitForHeading(page, 'Your account');
      await signOutAndWait(page);
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
      await waitForHeading(page, 'Your account');
      await signOutAndWait(page);

      await page.evaluate('sessionStorage.clear()');
      await page.reload();
      await waitForHeading(page, 'Your account');
    }),
  );

  it(
    'sets a new password with the code of the mail, and signs in with it',
    browserTest(async (openBrowser) => {
      const person = await createColleague('OPERATOR');
      const page = await openTab(openBrowser, ENGLISH, '/console/');
      await page.locator('input[name=email]').fill(person.email);
      await page.getByRole('button', { name: 'Forgot password?' }).click();
      await waitForHeading(page, 'Reset your password');
      expect(await page.locator('input[name=email]').inputValue(), 'not asked twice').to.equal(person.email);
      await page.getByRole('button', { name: 'Send code' }).click();
      const code = codeIn(await inbox().untilMail(person.email, 'code to reset the password'));
      await page
        .getByText(/^Send a new code in/)
        .first()
        .waitFor();
      await page.getByLabel('6-digit code').fill(`${code.slice(0, 3)} ${code.slice(3)}`);
      await page.locator('input[name=newPassword]').fill('password');
      await page.getByRole('button', { name: 'Set password and sign in' }).click();
      await page.getByText('Many people use this password, so it is easy to guess.').waitFor();
      await page.locator('input[name=newPassword]').fill(NEW_PASSWORD);
      await page.keyboard.press('Enter');
      await waitForHeading(page, 'Home');
    }),
  );

  it(
    'counts down after too many failures, and the button comes back by itself',
    browserTest(async (openBrowser) => {
      const person = await createColleague('OPERATOR');
      const page = await openTab(openBrowser, ENGLISH, '/console/');
      await page.clock.install();
      for (let isLimited = false; !isLimited; ) {
        const responding = page.waitForResponse((response) => response.url().endsWith('/sign-in'));
        await signIn(page, { ...person, password: 'Wrong horse 1' });
        isLimited = (await responding).status() === 429;
      }
      await page
        .getByText(/Try again in/)
        .first()
        .waitFor();
      const submit = page.locator('button[type=submit]');
      expect(await submit.getAttribute('aria-disabled')).to.equal('true');
      await page.clock.fastForward('30:00');
      await page.getByText('You can try again now.').waitFor();
      expect(await submit.getAttribute('aria-disabled')).to.equal(null);
    }),
  );

  it(
    'shows the page of a deep link after the sign-in, and says where there is none',
    browserTest(async (openBrowser) => {
      const page = await openSignedIn(openBrowser, 'OPERATOR', { path: 'your-account' });
      await waitForHeading(page, 'Your account');
      await page.goto(consoleUrl('no-such-page'));
      await waitForHeading(page, 'This page doesn’t exist');
    }),
  );
});
