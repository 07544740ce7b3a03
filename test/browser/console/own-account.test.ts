import { ADMINISTRATOR, createAuthClient } from '@platform/shared/testing/auth-client';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { codeIn } from '@platform/shared/testing/inbox';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { browserTest, type TestBrowser } from '../support/browser-test.ts';
import { getPlatform } from '../support/platform.ts';
import {
  createColleague,
  ENGLISH,
  inbox,
  openConsole,
  REJECTED,
  readPolicyViolations,
  signIn,
  signOut,
} from './console-tab.ts';

const NEW_PASSWORD = 'A better horse 2';

const openAccount = async (browser: TestBrowser) => {
  browser.allowErrors(REJECTED);
  const person = await createColleague('OPERATOR');
  const page = await openConsole(browser, 'your-account');
  await signIn(page, person);
  await page.getByText('This device').waitFor();
  return { person, page };
};

const client = () => createAuthClient(getPlatform().gatewayUrl, ADMINISTRATOR);
const currentPassword = (page: Page) => page.getByLabel('Current password', { exact: true });
const say = (page: Page, text: string | RegExp) => page.getByRole('status').getByText(text).waitFor();

/** Presses Tab until the control with this name is focused, as a person without a mouse does. */
const tabTo = async (page: Page, name: string): Promise<void> => {
  const read = 'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent';
  for (let presses = 0; presses < 60; presses += 1) {
    if ((await page.evaluate(read)) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${name}`);
};

describe('own account in the console', () => {
  it(
    'changes the password by keyboard alone, and returns the focus',
    browserTest(async (openBrowser) => {
      const { page, person } = await openAccount(await openBrowser(ENGLISH));
      await tabTo(page, 'Change password');
      await page.keyboard.press('Enter');
      await page.locator('input[name=currentPassword]:focus').waitFor();
      await page.keyboard.type('Wrong horse 1');
      await tabTo(page, 'Show password');
      await page.keyboard.press('Tab');
      await page.keyboard.type(NEW_PASSWORD);
      await page.keyboard.press('Enter');
      await page.locator('input[name=currentPassword][aria-invalid=true]:focus').waitFor();
      await page.locator('.field-error').getByText('The current password is wrong.').waitFor();
      await currentPassword(page).fill(person.password);
      expect(await page.getByText('The current password is wrong.').count(), 'corrected').to.equal(0);
      await page.keyboard.press('Enter');
      await say(page, 'Your password is changed.');
      expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).to.equal(
        'Change password',
      );
      await client().openDevice({ ...person, password: NEW_PASSWORD });
    }),
  );

  it(
    'changes the address with the code of the mail, and keeps what was typed when the dialog is closed',
    browserTest(async (openBrowser) => {
      const { page, person } = await openAccount(await openBrowser(ENGLISH));
      const newEmail = uniqueEmail();
      await page.getByRole('button', { name: 'Change e-mail address' }).click();
      const address = page.getByLabel('New e-mail address');
      await address.fill(newEmail);
      await currentPassword(page).fill(person.password);
      const reopen = async () => {
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'hidden' });
        await page.getByRole('button', { name: 'Change e-mail address' }).click();
      };
      const sendCode = async () => {
        expect(await address.inputValue()).to.equal(newEmail);
        expect(await currentPassword(page).inputValue(), 'deleted').to.equal('');
        await currentPassword(page).fill(person.password);
        await page.getByRole('button', { name: 'Send code' }).click();
        await page.getByLabel('Code from the mail').waitFor();
      };
      await reopen();
      await sendCode();
      await reopen();
      // Another code is not sent so soon, and the first one stays valid.
      await page.getByRole('button', { name: 'Use another address' }).click();
      await sendCode();
      await page.getByLabel('Code from the mail').fill(codeIn(await inbox().untilMail(newEmail, '')));
      await page.keyboard.press('Enter');
      await say(page, `Your e-mail address is now ${newEmail}.`);
      await page.getByRole('banner').getByText(newEmail).waitFor();
    }),
  );

  it(
    'asks for another sign-in as a proof over the dialog, which stays with what was typed',
    browserTest(async (openBrowser) => {
      const { page, person } = await openAccount(await openBrowser(ENGLISH));
      // As for an account without a password, whose sign-in is too old.
      await page.route('**/email/change', (route) =>
        route.fulfill({ status: 403, json: { code: 'REAUTHENTICATION_REQUIRED', message: 'Sign in again' } }),
      );
      await page.getByRole('button', { name: 'Change e-mail address' }).click();
      const dialog = page.getByRole('dialog', { name: 'Change e-mail address' });
      await dialog.getByLabel('New e-mail address').fill('ada@new.example.com');
      await currentPassword(page).fill(person.password);
      const signInAgain = async () => {
        await dialog.getByRole('button', { name: 'Sign in again' }).click();
        const again = page.getByRole('dialog', { name: 'Sign in again' });
        await again.locator('input[name=password]:focus').waitFor();
        return again;
      };
      await dialog.getByRole('button', { name: 'Send code' }).click();
      await signInAgain();
      await page.goBack();
      const again = await signInAgain();
      await again.locator('input[name=password]').fill(person.password);
      await page.keyboard.press('Enter');
      await again.waitFor({ state: 'detached' });
      await dialog.getByRole('button', { name: 'Sign in again' }).and(page.locator(':focus')).waitFor();
      expect(await dialog.getByLabel('New e-mail address').inputValue()).to.equal('ada@new.example.com');
      await page.goBack();
      await dialog.waitFor({ state: 'hidden' });
      await page.getByText('This device').waitFor();
    }),
  );

  it(
    'signs out another device, and everywhere else',
    browserTest(async (openBrowser) => {
      const { page, person } = await openAccount(await openBrowser(ENGLISH));
      const [first, second] = [await client().openDevice(person), await client().openDevice(person)];
      await page.reload();
      await page.getByText('Chrome on Linux').waitFor();
      await page
        .getByRole('button', { name: /^Sign out “/ })
        .first()
        .click();
      await say(page, /is signed out\./);
      await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
      const dialog = page.getByRole('dialog', { name: 'Sign out on all other devices?' });
      await dialog.getByRole('button', { name: 'Sign out everywhere else' }).click();
      await say(page, 'You are signed out everywhere else.');
      expect(await page.getByRole('button', { name: /^Sign out “/ }).count()).to.equal(0);
      for (const device of [first, second]) await client().expectSignedOut(device);
    }),
  );

  it(
    'shows the recovery codes of a new app until they are saved, although the page knows that it is on',
    browserTest(async (openBrowser) => {
      const { page, person } = await openAccount(await openBrowser(ENGLISH));
      await page.getByRole('button', { name: 'Set up' }).click();
      await currentPassword(page).fill(person.password);
      await page.keyboard.press('Enter');
      const secret = page.getByRole('dialog').locator('.code');
      await secret.waitFor();
      await page.locator('input[name=code]').fill(totpCode((await secret.innerText()).replaceAll(' ', '')));
      await page.keyboard.press('Enter');
      await page.getByText('10 recovery codes left').waitFor();
      const codes = page.getByRole('dialog', { name: 'Recovery codes' });
      expect(await codes.getByRole('listitem').count()).to.equal(10);
      await codes.getByRole('button', { name: 'I have saved them' }).click();
      await say(page, 'The second step is on.');
    }),
  );

  it(
    'counts down to a download that hit a limit, and removes the app with a code',
    browserTest(async (openBrowser) => {
      const { page, person } = await openAccount(await openBrowser(ENGLISH));
      await page.route(
        '**/account/export',
        (route) =>
          route.fulfill({
            status: 429,
            headers: { 'Retry-After': '2' },
            json: { code: 'RATE_LIMITED', message: 'Later' },
          }),
        { times: 1 },
      );
      await page.getByRole('button', { name: 'Download' }).click();
      await page.getByText(/^Possible again in \d second/).waitFor();
      await say(page, 'Possible again now.');
      expect(await page.getByText('Too many attempts.').count()).to.equal(0);
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download' }).click();
      expect((await download).suggestedFilename()).to.equal('account.json');

      const device = await client().openDevice(person);
      const { secret } = await client().enableTotp(device, person.password);
      // Another device has switched it on, which ends the session of this one.
      await page.reload();
      const again = page.getByRole('dialog', { name: 'Sign in again' });
      await again.locator('input[name=password]').fill(person.password);
      await page.keyboard.press('Enter');
      await page.locator('input[name=totpCode]').fill(totpCode(secret, 1));
      await page.keyboard.press('Enter');
      await page.getByText('10 recovery codes left').waitFor();
      await page.getByRole('button', { name: 'Remove app' }).click();
      const dialog = page.getByRole('dialog', { name: 'Remove the authenticator app?' });
      await currentPassword(page).fill(person.password);
      await dialog.getByLabel('Code from the authenticator app').fill('000000');
      await dialog.getByRole('button', { name: 'Remove app' }).click();
      await dialog.locator('input[name=totpCode][aria-invalid=true]:focus').waitFor();
      await dialog.getByText('The second factor is wrong or has expired.').waitFor();
      expect(await currentPassword(page).inputValue(), 'what was typed stays').to.equal(person.password);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'hidden' });
      expect(await readPolicyViolations(page)).to.deep.equal([]);
    }),
  );

  it(
    'connects a provider, which returns without its code in the address, and signs in with it',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser(ENGLISH);
      const { page, person } = await openAccount(browser);
      await page.getByRole('button', { name: 'Connect Company' }).click();
      await currentPassword(page).fill(person.password);
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await signInAtProvider(page);
      await say(page, /is connected\./);
      expect(page.url()).to.match(/\/console\/your-account$/);
      await signOut(page);
      await page.getByRole('button', { name: 'Continue with Company' }).click();
      await page.getByText('This device').waitFor();
      expect(page.url(), 'back where it began').to.match(/\/console\/your-account$/);
      await page.goBack();
      expect(page.url(), 'no code in the history').not.to.include('code=');
    }),
  );
});

/** Another of the demo people than those of other tests, because an identity belongs to one account. */
const PERSON = 'viktor.lindqvist@example.net';

const signInAtProvider = async (page: Page): Promise<void> => {
  await page.getByLabel('Account', { exact: true }).selectOption(PERSON);
  await page.getByRole('button', { name: 'Sign in' }).click();
};
