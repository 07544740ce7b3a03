import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { waitFor } from '@platform/shared/testing/poll';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { browserTest, type OpenBrowser } from '../support/browser-test.ts';
import { getPlatform } from '../support/platform.ts';
import { actionsOf, createCustomer, withRecords } from './back-office-records.ts';
import {
  callAs,
  chooseAction,
  createColleague,
  ENGLISH,
  GERMAN,
  openConsole,
  openSignedIn,
  readPolicyViolations,
  signIn,
  signInByKeyboard,
  waitForHeading,
} from './console-tab.ts';

const openUser = async (page: Page, id: string, name: string): Promise<void> => {
  // A dialog that has closed goes back in the history, which would abort the load.
  await waitFor('no dialog', () => page.evaluate<boolean>('!history.state?.dialogs'));
  await page.goto(new URL(`/console/users/${id}`, page.url()).href);
  await waitForHeading(page, name);
};

const openUserToDelete = async (openBrowser: OpenBrowser) => {
  const customer = await createCustomer();
  const browser = await openBrowser(ENGLISH);
  // A deleted user has neither sessions nor notes.
  browser.allowErrors(/status of 404/);
  const page = await openConsole(browser);
  await signIn(page, await createColleague('ADMIN'));
  await waitForHeading(page, 'Overview');
  await openUser(page, customer.id, customer.name);
  return { page, customer };
};

const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name });

describe('users in the console', () => {
  it(
    'are found and blocked by keyboard alone, which signs the customer out, and can be undone',
    browserTest(async (openBrowser) => {
      const { gatewayUrl } = getPlatform();
      const client = createAuthClient(gatewayUrl, CUSTOMER);
      const customer = await createCustomer();
      const device = await client.openDevice(customer);
      const page = await openConsole(await openBrowser(ENGLISH));
      await signInByKeyboard(page, await createColleague('ADMIN'));
      await waitForHeading(page, 'Overview');
      await page.locator('h1:focus').waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('u');
      await waitForHeading(page, 'People');
      await page.keyboard.press('/');
      await page.keyboard.type(customer.word.slice(2, 10));
      await page.getByText('1–1 of 1').waitFor();
      expect(page.url(), 'what was typed is in no address').not.to.include(customer.word.slice(2, 10));
      await page.keyboard.press('Escape');
      await page.keyboard.press('/');
      expect(await page.evaluate('getSelection().toString()')).to.equal(customer.word.slice(2, 10));
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await waitForHeading(page, customer.name);
      expect(await page.title()).to.equal('User – Marketplace');

      await page.getByRole('button', { name: 'Actions' }).focus();
      await page.keyboard.press('Enter');
      // From the first entry to the last but one.
      for (const _step of ['last', 'block']) await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      const dialog = dialogOf(page, `Block ${customer.name}?`);
      await dialog.getByText('on 2 devices').waitFor();
      // The first reason has the focus.
      await page.keyboard.press('Space');
      await page.keyboard.press('Tab');
      await page.keyboard.type('Third one this year');
      for (const _next of ['end all sessions', 'cancel', 'block']) await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByRole('status').getByText(`${customer.name} is blocked.`).waitFor();
      await page.getByText('Blocked by').waitFor();
      await page.getByText('Chargeback fraud. Third one this year').first().waitFor();
      await page.getByText('blocked this user').waitFor();
      const credentials = { email: customer.email, password: customer.password };
      const signInAgain = () => client.signIn({ fingerprint: device.fingerprint, body: credentials });
      expect((await signInAgain()).body.code).to.equal('USER_BLOCKED');

      await page.getByRole('button', { name: 'Undo' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('unblocked this user').waitFor();
      expect((await signInAgain()).status).to.equal(200);
      expect(await readPolicyViolations(page)).to.deep.equal([]);
    }),
  );

  it(
    'are blocked and unblocked by mouse in German',
    browserTest(async (openBrowser) => {
      const customer = await createCustomer();
      const page = await openSignedIn(openBrowser, 'ADMIN', { options: GERMAN, path: 'users' });
      await page.getByLabel('Name oder E-Mail').fill(customer.word);
      await page.getByRole('link', { name: customer.name }).click();
      await waitForHeading(page, customer.name);
      await chooseAction(page, 'Sperren …', 'Aktionen');
      const dialog = dialogOf(page, `${customer.name} sperren?`);
      await dialog.getByRole('button', { name: 'Person sperren' }).click();
      await page.getByRole('status').getByText(`${customer.name} ist gesperrt.`).waitFor();
      await page.getByRole('button', { name: 'Entsperren …' }).click();
      await page.getByRole('button', { name: 'Person entsperren' }).click();
      await page.getByRole('status').getByText(`${customer.name} ist entsperrt.`).waitFor();
      await page.getByText('hat diese Person entsperrt').waitFor();
      expect(await actionsOf(customer.id)).to.deep.equal(['USER_BLOCKED', 'USER_UNBLOCKED']);
    }),
  );

  it(
    'keep filters and page in the address, and the search in the history',
    browserTest(async (openBrowser) => {
      const customer = await createCustomer({ isBlocked: true });
      const page = await openSignedIn(openBrowser, 'ADMIN', { path: 'users?role=CUSTOMER&isBlocked=true' });
      await page.getByLabel('Name or email').fill(customer.word);
      await page.getByText('1–1 of 1').waitFor();
      await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
      await page.locator('main:focus').waitFor();
      expect(await page.getByLabel('Name or email').inputValue()).to.equal(customer.word);
      await page.reload();
      await page.getByText('1–1 of 1').waitFor();
      expect(await page.getByLabel('Name or email').inputValue()).to.equal(customer.word);
      await page.getByRole('button', { name: 'Role: Customer', exact: true }).waitFor();
      await page.getByRole('link', { name: customer.name }).click();
      await waitForHeading(page, customer.name);
      await page.goBack();
      await page.getByText('1–1 of 1').waitFor();
      await page.getByLabel('Name or email').fill(`${customer.word}x`);
      await page.getByText(`No user has “${customer.word}x” in name or email.`).waitFor();
      await page.getByRole('button', { name: 'Remove all filters' }).click();
      await page.locator('tbody tr').nth(5).waitFor();
      await page.getByLabel('Name or email').fill(customer.id);
      await page.keyboard.press('Enter');
      await waitForHeading(page, customer.name);
    }),
  );

  it(
    'are listed to their last page when the address has a later one, in one history entry',
    browserTest(async (openBrowser) => {
      const page = await openSignedIn(openBrowser, 'ADMIN');
      await waitForHeading(page, 'Overview');
      await page.goto(new URL('/console/users?role=ADMIN&page=999', page.url()).href);
      await page.locator('tbody tr').first().waitFor();
      expect(page.url()).not.to.include('page=999');
      await page.goBack();
      await waitForHeading(page, 'Overview');
    }),
  );

  it(
    'get and lose a role, sessions and factors',
    browserTest(async (openBrowser) => {
      const customer = await createCustomer({ email: `role-${Date.now()}@example.com` });
      const page = await openSignedIn(openBrowser, 'ADMIN');
      await waitForHeading(page, 'Overview');
      await openUser(page, customer.id, customer.name);
      await page.getByText('Chrome on Windows').first().waitFor();
      await page.getByRole('button', { name: 'End … Chrome on Windows' }).click();
      await page.getByRole('button', { name: 'End session' }).click();
      await page.getByText('Signed in nowhere.').waitFor();
      await page.locator('h1:focus').waitFor();

      await chooseAction(page, 'Give a role …');
      await page.locator('dialog[open] select[name=role]').selectOption('ARBITER');
      await page.getByRole('button', { name: 'Give role' }).click();
      await page.getByText(`${customer.name} has the role Arbiter now.`).waitFor();
      await chooseAction(page, 'Delete the account …');
      await page.getByText('Take it first').waitFor();
      await page.getByRole('button', { name: 'Take the role …' }).click();
      const takeRole = page.getByRole('button', { name: 'Take role' });
      await takeRole.waitFor();
      // Going back from the first dialog would close the second one a moment later.
      await page.waitForTimeout(300);
      await takeRole.click();
      await page.getByText(`${customer.name} no longer has the role Arbiter.`).waitFor();
      expect(await actionsOf(customer.id)).to.include.members([
        'SESSION_ENDED',
        'ROLE_ASSIGNED',
        'ROLE_REMOVED',
      ]);
    }),
  );

  it(
    'are deleted only when the address was typed, and leave their page',
    browserTest(async (openBrowser) => {
      const { page, customer } = await openUserToDelete(openBrowser);
      await chooseAction(page, 'Delete the account …');
      const dialog = dialogOf(page, `Delete the account of ${customer.name}?`);
      await dialog.getByLabel(`Type ${customer.email} to confirm`).fill('ada@example.com');
      await dialog.getByRole('button', { name: 'Delete account' }).click();
      await dialog.getByText('Type exactly this address.').waitFor();
      await dialog.getByLabel(`Type ${customer.email} to confirm`).fill(customer.email);
      await dialog.getByRole('button', { name: 'Delete account' }).click();
      await waitForHeading(page, 'A deleted user');
      await page.getByText('This account is deleted.').waitFor();
      expect(await actionsOf(customer.id)).to.include('ACCOUNT_DELETED');
    }),
  );

  it(
    'are shown as deleted when a colleague deleted them while their page was open',
    browserTest(async (openBrowser) => {
      const { page, customer } = await openUserToDelete(openBrowser);
      await chooseAction(page, 'Block …');
      const colleague = await createColleague('ADMIN');
      expect((await callAs(colleague, 'DELETE', `/users/${customer.id}`)).status).to.equal(204);
      await dialogOf(page, `Block ${customer.name}?`).getByRole('button', { name: 'Block user' }).click();
      await waitForHeading(page, 'A deleted user');
      await page.getByText('This account is deleted.').waitFor();
      expect(await page.locator('dialog[open]').count()).to.equal(0);
    }),
  );

  it(
    'say before the click what the API would refuse',
    browserTest(async (openBrowser) => {
      const [me, other] = [await createColleague('ADMIN'), await createColleague('ADMIN')];
      const unverified = await createCustomer({ isEmailVerified: false });
      const page = await openSignedIn(openBrowser, me);
      await waitForHeading(page, 'Overview');
      await openUser(page, me.id, me.email);
      await page.getByText('This is your own account.').waitFor();
      await page.getByRole('button', { name: 'Actions' }).click();
      await page.getByRole('menuitem', { name: 'End all sessions …' }).waitFor();
      for (const name of ['Block …', 'Delete the account …'])
        expect(await page.getByRole('menuitem', { name }).count()).to.equal(0);
      await openUser(page, other.id, other.email);
      await chooseAction(page, 'Block …');
      await page.getByText('an admin cannot be blocked').waitFor();
      expect(await page.getByRole('button', { name: 'Block user' }).isVisible()).to.equal(false);
      await page.keyboard.press('Escape');
      await openUser(page, unverified.id, unverified.name);
      await chooseAction(page, 'Give a role …');
      await page.getByText('is not verified, so nobody knows whose it is').waitFor();
      expect(await page.getByRole('button', { name: 'Give role' }).isVisible()).to.equal(false);
    }),
  );

  it(
    'load with one round of requests, whose texts are never markup',
    browserTest(async (openBrowser) => {
      const hostile = '<img src=x onerror="document.title=1">';
      const customer = await createCustomer({ firstName: hostile, lastName: '"><script>1</script>' });
      const author = await createColleague('ADMIN');
      await withRecords((records) =>
        records.query('insert into user_notes (user_id, text, author_id) values ($1, $2, $3)', [
          customer.id,
          hostile,
          author.id,
        ]),
      );
      const page = await openSignedIn(openBrowser, author);
      await waitForHeading(page, 'Overview');
      await page.goto(new URL(`/console/users/${customer.id}`, page.url()).href);
      await waitForHeading(page, `${hostile} "><script>1</script>`);
      await page.getByText(hostile).nth(2).waitFor();
      // A request is listed when its response is complete.
      await page.waitForLoadState('networkidle');
      const requests: { path: string; startedAt: number; endedAt: number }[] = await page.evaluate(
        `performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/v1/'))
          .map(({ name, startTime, responseEnd }) => ({ path: new URL(name).pathname, startedAt: startTime, endedAt: responseEnd }))`,
      );
      const refresh = requests.find(({ path }) => path.endsWith('/refresh/token'));
      const others = requests.filter(
        ({ path }) => path.includes(`/users/${customer.id}`) || path.includes('audit-log'),
      );
      expect(others).to.have.length(5);
      const firstEnd = Math.min(...others.map(({ endedAt }) => endedAt));
      for (const { path, startedAt } of others) {
        expect(startedAt, path).to.be.at.least(refresh?.endedAt ?? 0);
        expect(startedAt, `${path} does not wait for another`).to.be.below(firstEnd);
      }
      expect(await page.title()).to.equal('User – Marketplace');
      expect(await page.locator('main img').count()).to.equal(0);
      expect(await readPolicyViolations(page)).to.deep.equal([]);
    }),
  );
});
