import { uniqueEmail } from '@platform/shared/testing/builders';
import { codeIn } from '@platform/shared/testing/inbox';
import { createRecords, type Records } from '@platform/shared/testing/records';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import {
  ENGLISH,
  GERMAN,
  inbox,
  openPage,
  openTab,
  pageUrl,
  REJECTED,
  readPolicyViolations,
  signIn,
  signInByKeyboard,
  waitForHeading,
} from '../console/console-tab.ts';
import { browserTest } from '../support/browser-test.ts';
import { getPlatform } from '../support/platform.ts';

type Person = Awaited<ReturnType<Records['user']>>;

const PASSWORD = 'Correct horse 1';

const createPerson = async (role: 'CUSTOMER' | 'EMPLOYEE'): Promise<Person> => {
  const records = createRecords(getPlatform().databaseUrl);
  try {
    return await records.user([role], { isEmailVerified: true });
  } finally {
    await records.close();
  }
};

/** A page on another origin of the same site, with the recipe of docs/frontends.md. */
const returningUrl = (): string => `${getPlatform().origins.otherSite}/returning`;

const waitForUser = (page: Page, { email }: Pick<Person, 'email'>): Promise<void> =>
  page.getByRole('heading', { name: email }).waitFor();

describe('account pages', () => {
  it(
    'create an account by keyboard alone, verify the address, and delete the account',
    browserTest(async (openBrowser) => {
      const page = await openTab(openBrowser, ENGLISH, '/account/customer/sign-up');
      const email = uniqueEmail();
      await page.locator('input[name=email]:focus').waitFor();
      await page.keyboard.type(email);
      await page.keyboard.press('Tab');
      await page.keyboard.type('short');
      await page.keyboard.press('Enter');
      await page.locator('input[name=password][aria-invalid=true]:focus').waitFor();
      await page.keyboard.press('ControlOrMeta+A');
      await page.route(
        '**/verification/email/code',
        (route) => route.fulfill({ status: 429, json: { code: 'RATE_LIMITED', message: 'Later' } }),
        { times: 1 },
      );
      await page.keyboard.type(PASSWORD);
      await page.keyboard.press('Enter');
      await waitForHeading(page, 'Verify your email');
      await page.getByRole('alert').getByText('Too many attempts.').waitFor();
      expect(await page.getByText('Sending the code').count()).to.equal(0);
      await page.reload();
      const code = codeIn(await inbox().untilMail(email, 'code'));
      await page.locator('input[name=code]:focus').waitFor();
      await page.keyboard.type('000000');
      await page.locator('input[name=code][aria-invalid=true]:focus').waitFor();
      await page.keyboard.type(code);
      await waitForHeading(page, 'Your account');
      await page.getByText('Verified', { exact: true }).waitFor();

      await page.getByRole('button', { name: 'Delete account' }).press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
      await dialog.locator('input[name=typedEmail]').fill(email);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Delete account' }).press('Enter');
      expect(await dialog.locator('input[name=typedEmail]').inputValue(), 'kept').to.equal(email);
      await dialog.getByLabel('Current password', { exact: true }).fill(PASSWORD);
      await page.keyboard.press('Enter');
      await waitForHeading(page, 'Sign in');
      await page.getByRole('status').getByText('Your account has been deleted.').waitFor();
      expect(await readPolicyViolations(page)).to.deep.equal([]);
    }),
  );

  it(
    'sign in an employee in German, and change the profile',
    browserTest(async (openBrowser) => {
      const page = await openPage(await openBrowser(GERMAN), '/account/employee/sign-in');
      await waitForHeading(page, 'Anmelden');
      await signInByKeyboard(page, await createPerson('EMPLOYEE'));
      await waitForHeading(page, 'Ihr Konto');
      await page.getByRole('button', { name: 'Profil bearbeiten' }).click();
      const dialog = page.getByRole('dialog', { name: 'Profil bearbeiten' });
      await dialog.locator('input[name=firstName]').fill('Käthe');
      await page.keyboard.press('Enter');
      await page.getByRole('status').getByText('Profil gespeichert.').waitFor();
      await page.getByRole('main').getByText('Käthe').first().waitFor();
      expect(await readPolicyViolations(page)).to.deep.equal([]);
    }),
  );

  it(
    'keep the typed address from sign-in to sign-up and back, in no address',
    browserTest(async (openBrowser) => {
      const person = await createPerson('CUSTOMER');
      const page = await openTab(
        openBrowser,
        ENGLISH,
        '/account/customer/sign-in?returnTo=%2Faccount%2F%3Fq%3Da%2526b',
      );
      await page.locator('input[name=email]').fill(person.email);
      await page.getByRole('link', { name: 'Create an account' }).click();
      await waitForHeading(page, 'Create your account');
      expect(await page.locator('input[name=email]').inputValue()).to.equal(person.email);
      expect(page.url()).to.equal(pageUrl('/account/customer/sign-up?returnTo=%2Faccount%2F%3Fq%3Da%2526b'));
      await page.locator('input[name=password]').fill(PASSWORD);
      await page.keyboard.press('Enter');
      await page.locator('input[name=email][aria-invalid=true]:focus').waitFor();
      await page.getByRole('link', { name: 'Sign in instead' }).click();
      await waitForHeading(page, 'Sign in');
      expect(await page.locator('input[name=email]').inputValue()).to.equal(person.email);
      await page.goBack();
      await waitForHeading(page, 'Create your account');
      await page.goBack();
      await waitForHeading(page, 'Sign in');
    }),
  );

  it(
    'keep the foot of a dialog in sight in a low window',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser({ ...ENGLISH, viewport: { width: 1280, height: 560 } });
      const page = await openPage(browser, '/account/customer/sign-in');
      await signInByKeyboard(page, await createPerson('CUSTOMER'));
      await page.getByRole('button', { name: 'Delete account' }).click();
      const button = page.getByRole('dialog').getByRole('button', { name: 'Delete account' });
      const { y, height } = (await button.boundingBox()) ?? { y: 560, height: 0 };
      expect(y + height).to.be.below(560);
    }),
  );

  it(
    'say that there is no connection where a page cannot be loaded, and show it as soon as there is one',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser(ENGLISH);
      browser.allowErrors(/ERR_INTERNET_DISCONNECTED/, /dynamically imported module/, /preload CSS/);
      const email = uniqueEmail();
      const page = await openPage(browser, '/account/customer/sign-in');
      await page.locator('input[name=email]').fill(email);
      await browser.context.setOffline(true);
      await page.getByRole('link', { name: 'Create an account' }).click();
      await waitForHeading(page, 'No connection');
      await browser.context.setOffline(false);
      await waitForHeading(page, 'Create your account');
      expect(await page.locator('input[name=email]').inputValue()).to.equal(email);
    }),
  );

  it(
    'return to a page of another origin, which is signed in, and signed out everywhere',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser(ENGLISH);
      browser.allowErrors(REJECTED);
      const person = await createPerson('CUSTOMER');
      const shop = await browser.open(returningUrl());
      await waitForHeading(shop, 'Sign in');
      await signIn(shop, person);
      await waitForUser(shop, person);
      expect(shop.url(), 'without the fingerprint').to.equal(returningUrl());
      await shop.reload();
      await waitForUser(shop, person);

      const account = await openPage(browser, '/account/customer/');
      await waitForHeading(account, 'Your account');
      await account.getByRole('button', { name: /^Account menu/ }).click();
      await account.getByRole('menuitem', { name: 'Sign out' }).click();
      await waitForHeading(account, 'Sign in');
      await shop.evaluate('platformOfPage.me().catch(() => undefined)');
      expect(await shop.evaluate('platformOfPage.getSnapshot().status')).to.equal('signed-out');
    }),
  );

  it(
    'do not sign a page of another origin in by a link that somebody else made',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser(ENGLISH);
      browser.allowErrors(REJECTED);
      const person = await createPerson('CUSTOMER');
      const shop = await browser.open(returningUrl());
      await waitForHeading(shop, 'Sign in');
      const own = shop.url();
      const foreign = new URL(own);
      foreign.searchParams.set('state', 'of somebody else');
      await shop.goto(foreign.href);
      await signIn(shop, person);
      // The shop is not signed in, so it sends the person to the sign-in page again.
      await shop.waitForURL(own);
      foreign.searchParams.delete('state');
      for (const address of [foreign.href, own]) {
        await shop.goto(address);
        await shop.getByRole('button', { name: 'Continue as Ada' }).click();
        await shop.waitForURL(address === own ? returningUrl() : own);
      }
      await waitForUser(shop, person);
    }),
  );

  it(
    'let who is signed in continue, or use another account, and stay on hostile addresses',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser(ENGLISH);
      browser.allowErrors(REJECTED, /^returnTo is ignored: /);
      const [person, other] = [await createPerson('CUSTOMER'), await createPerson('CUSTOMER')];
      const path = '/account/customer/sign-in';
      const page = await openPage(browser, path);
      await signIn(page, person);
      await waitForHeading(page, 'Your account');
      await page.goto(pageUrl(`${path}?returnTo=%2Fconsole%2F%3Fq%3Da%2526b`));
      await waitForHeading(page, 'Welcome back');
      await page.getByRole('button', { name: 'Continue as Ada' }).click();
      await page.waitForURL(pageUrl('/console/?q=a%26b'));

      await page.goto(pageUrl(`${path}?returnTo=%2Fapi%2Fv1%2Fdocs%2F`));
      await page.getByRole('button', { name: 'Continue as Ada' }).click();
      await waitForHeading(page, 'Your account');

      await page.goto(pageUrl(`${path}?returnTo=${encodeURIComponent('//evil.example')}`));
      await page.getByRole('button', { name: 'Use another account' }).click();
      await signIn(page, other);
      await waitForHeading(page, 'Your account');
      expect(page.url()).to.equal(pageUrl('/account/customer/'));
    }),
  );

  it(
    'sign in with a provider, and return to where the person came from',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser(ENGLISH);
      browser.allowErrors(REJECTED);
      const page = await browser.open(returningUrl());
      await waitForHeading(page, 'Sign in');
      await page.getByRole('button', { name: 'Continue with Company' }).click();
      await page.getByLabel('Account').selectOption('customer@example.com');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await waitForUser(page, { email: 'customer@example.com' });
      expect(page.url()).to.equal(returningUrl());
    }),
  );

  it(
    'open the change of the password from the well-known address',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser(ENGLISH);
      const page = await openPage(browser, '/.well-known/change-password');
      await waitForHeading(page, 'Choose an account');
      await page.getByRole('link', { name: 'Employee account' }).click();
      await signIn(page, await createPerson('EMPLOYEE'));
      await page.getByRole('dialog', { name: 'Change password' }).waitFor();
      await page.goto(pageUrl('/.well-known/change-password'));
      await page.getByRole('dialog', { name: 'Change password' }).waitFor();
      expect(page.url()).to.equal(pageUrl('/account/employee/change-password'));
    }),
  );
});
