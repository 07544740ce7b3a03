import { readFile } from 'node:fs/promises';
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
      await say(page, 'Password changed.');
      expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).to.equal(
        'Change password',
      );
      await client().openDevice({ ...person, password: NEW_PASSWORD });
    }),
  );

  it(
    'changes the address with the code of the mail, also in another tab and after the dialog was closed',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser(ENGLISH);
      const { page, person } = await openAccount(browser);
      const newEmail = uniqueEmail();
      await page.getByRole('button', { name: 'Change your email' }).click();
      await page.getByLabel('New email').fill(newEmail);
      await currentPassword(page).fill(person.password);
      await page.getByRole('button', { name: 'Send code' }).click();
      await page.getByLabel('6-digit code').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await page.getByText(`Waiting for the code sent to ${newEmail}`).waitFor();

      const tab = await openConsole(browser, 'your-account');
      await tab.getByRole('button', { name: 'Enter code' }).click();
      await tab.getByText(newEmail).last().waitFor();
      // Another code is not sent so soon, and the first one stays valid.
      await tab.getByRole('button', { name: 'Change it' }).click();
      expect(await tab.getByLabel('New email').inputValue()).to.equal(newEmail);
      await currentPassword(tab).fill(person.password);
      await tab.getByRole('button', { name: 'Send code' }).click();
      await tab.getByLabel('6-digit code').fill(codeIn(await inbox().untilMail(newEmail, '')));
      await say(tab, `Your email is now ${newEmail}.`);
      await page.bringToFront();
      await page.getByText(`Waiting for the code sent to ${newEmail}`).waitFor({ state: 'hidden' });
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
      await page.getByRole('button', { name: 'Change your email' }).click();
      const dialog = page.getByRole('dialog', { name: 'Change your email' });
      await dialog.getByLabel('New email').fill('ada@new.example.com');
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
      expect(await dialog.getByLabel('New email').inputValue()).to.equal('ada@new.example.com');
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
      await say(page, /was signed out\./);
      await page.getByRole('button', { name: 'Sign out on all other devices' }).click();
      const dialog = page.getByRole('dialog', { name: 'Sign out on all other devices?' });
      await dialog.getByRole('button', { name: 'Sign out on all other devices' }).click();
      await say(page, 'All other devices were signed out.');
      expect(await page.getByRole('button', { name: /^Sign out “/ }).count()).to.equal(0);
      for (const device of [first, second]) await client().expectSignedOut(device);
    }),
  );

  it(
    'shows the recovery codes of a new app until they are saved, although the page knows that it is on',
    browserTest(async (openBrowser) => {
      const { page, person } = await openAccount(await openBrowser(ENGLISH));
      await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
      await currentPassword(page).fill(person.password);
      await page.keyboard.press('Enter');
      const secret = page.getByRole('dialog').locator('.enrolment-secret');
      await secret.waitFor();
      await page.locator('input[name=code]').fill(totpCode((await secret.innerText()).replaceAll(' ', '')));
      const codes = page.getByRole('dialog', { name: 'Save your recovery codes' });
      await codes.waitFor();
      await page.getByText('10 of 10 left').waitFor();
      expect(await codes.getByRole('listitem').count()).to.equal(10);
      const listed = await codes.getByRole('listitem').allInnerTexts();
      const saved = codes.getByRole('button', { name: 'I’ve saved my codes' });
      // It does nothing yet, and says why.
      await saved.press('Enter');
      await codes.getByText('Copy, download or print the codes first.').waitFor();
      const download = page.waitForEvent('download');
      await codes.getByRole('button', { name: 'Download' }).click();
      const file = await readFile(await (await download).path(), 'utf8');
      expect(file.match(/\d+\. .+/g)).to.deep.equal(listed.map((code, index) => `${index + 1}. ${code}`));
      expect(file).to.include(person.email);
      await saved.click();
      await say(page, 'The authenticator app is on.');
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
      await page.getByText(/^Try again in \d second/).waitFor();
      await say(page, 'You can try again now.');
      expect(await page.getByText('Too many attempts.').count()).to.equal(0);
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download' }).click();
      expect((await download).suggestedFilename()).to.match(/^Marketplace account \d{4}-\d\d-\d\d\.json$/);

      const device = await client().openDevice(person);
      const { secret } = await client().enableTotp(device, person.password);
      // Another device has switched it on, which ends the session of this one.
      await page.reload();
      const again = page.getByRole('dialog', { name: 'Your session has ended' });
      await again.locator('input[name=password]').fill(person.password);
      await page.keyboard.press('Enter');
      await page.locator('input[name=totpCode]').fill(totpCode(secret, 1));
      await page.keyboard.press('Enter');
      await page.getByText('10 of 10 left').waitFor();
      await page.getByRole('button', { name: 'Remove app' }).click();
      const dialog = page.getByRole('dialog', { name: 'Remove the authenticator app?' });
      await currentPassword(page).fill(person.password);
      await dialog.getByLabel('Code from your app').fill('000000');
      await dialog.getByRole('button', { name: 'Remove app' }).click();
      await dialog.locator('input[name=totpCode][aria-invalid=true]:focus').waitFor();
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
