import { ADMINISTRATOR, createAuthClient } from '@platform/shared/testing/auth-client';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { expect } from 'chai';
import { browserTest } from '../support/browser-test.ts';
import { getPlatform } from '../support/platform.ts';
import {
  chooseInAccountMenu,
  consoleUrl,
  createColleague,
  ENGLISH,
  openConsole,
  openSignedIn,
  type Person,
  REJECTED,
  signIn,
  signOut,
  waitForHeading,
} from './console-tab.ts';

/** Ends the sessions of a person as another device does. */
const endSessions = async (person: Person): Promise<void> => {
  const client = createAuthClient(getPlatform().gatewayUrl, ADMINISTRATOR);
  const device = await client.openDevice(person);
  expect((await client.endOtherSessions(device)).status).to.equal(204);
};

const UNREACHABLE = /ERR_INTERNET_DISCONNECTED/;

describe('session of the console', () => {
  it(
    'signs in again over the page when it has ended, and loses nothing that was typed',
    browserTest(async (openBrowser) => {
      const person = await createColleague('OPERATOR');
      const page = await openSignedIn(openBrowser, person, { path: 'your-account', allows: [REJECTED] });
      await page.getByRole('button', { name: 'Change your email' }).click();
      const dialog = page.getByRole('dialog', { name: 'Change your email' });
      await dialog.getByLabel('New email').fill('ada@new.example.com');
      await dialog.getByLabel('Current password', { exact: true }).fill(person.password);
      await endSessions(person);
      await page.keyboard.press('Enter');

      const again = page.getByRole('dialog', { name: 'Your session has ended' });
      await again.locator('input[name=password]').fill(person.password);
      expect(await again.locator('input[autocomplete=username]').inputValue()).to.equal(person.email);
      for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('Escape');
      await again.getByRole('button', { name: 'Sign in again', exact: true }).click();
      await again.waitFor({ state: 'detached' });
      expect(await dialog.getByLabel('New email').inputValue()).to.equal('ada@new.example.com');
      await dialog.getByRole('status').getByText('What you typed is not saved yet.').waitFor();
      const typedIn = dialog.getByLabel('Current password', { exact: true });
      expect(await typedIn.and(page.locator(':focus')).count(), 'focus in the field').to.equal(1);
    }),
  );

  it(
    'ends in both tabs, whose pages agree',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser(ENGLISH);
      const page = await openConsole(browser);
      await signIn(page, await createColleague('OPERATOR'));
      await waitForHeading(page, 'Home');
      const other = await browser.open(consoleUrl());
      await waitForHeading(other, 'Home');
      await signOut(other);
      await waitForHeading(page, 'Sign in');
      await waitForHeading(other, 'Sign in');
    }),
  );

  it(
    'says that signing out has failed, and does it when the connection is back, which the button says',
    browserTest(async (openBrowser) => {
      const page = await openSignedIn(openBrowser, 'OPERATOR', { allows: [UNREACHABLE] });
      await waitForHeading(page, 'Home');
      await page.context().setOffline(true);
      await signOut(page);
      await page.getByRole('status').getByText('No connection').first().waitFor();
      await page.context().setOffline(false);
      await page.route('**/sign-out', async (route) => {
        await page.getByText('Signing out …').first().waitFor();
        await route.continue();
      });
      await signOut(page);
      await waitForHeading(page, 'Sign in');
    }),
  );

  it(
    'says which role is missing when it was taken meanwhile',
    browserTest(async (openBrowser) => {
      const person = await createColleague('OPERATOR');
      const page = await openSignedIn(openBrowser, person, { allows: [REJECTED] });
      await waitForHeading(page, 'Home');
      await queryDatabase(getPlatform().databaseUrl, 'delete from user_roles where user_id = $1', [
        person.id,
      ]);
      await page.reload();
      await page.getByText('exactly one role: Admin, Operator or Arbiter').waitFor();
    }),
  );

  it(
    'keeps what was loaded while the gateway is unreachable, and says from when it is',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser(ENGLISH);
      browser.allowErrors(UNREACHABLE);
      const person = await createColleague('OPERATOR');
      const page = await openConsole(browser);
      await page.clock.install();
      await signIn(page, person);
      await page.getByText('User id').waitFor();
      await chooseInAccountMenu(page, 'Your account');
      await page.getByText('This device').waitFor();
      await browser.context.setOffline(true);
      await page.clock.fastForward('01:00');
      await page.getByRole('link', { name: 'Home' }).click();
      await page.getByText(/Check your network\..*Shown as of \d\d:\d\d\./).waitFor();
      await page.getByText('User id').waitFor();
      await browser.context.setOffline(false);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('Check your network.').waitFor({ state: 'detached' });
    }),
  );
});
