import { addSecondFactor } from '@platform/shared/testing/second-factors';
import { withRecords } from '../back-office-records.ts';
import { waitForHeading } from '../console-tab.ts';
import { goTo, NOTE, openPerson, query, type Task } from './desk.ts';

/** The tasks about one customer, in this order. */
export const PERSON_TASKS: Readonly<Record<string, Task>> = {
  'find a person by half a name': {
    before: { keys: 12, clicks: 2 },
    most: { keys: 8, clicks: 2 },
    open: (desk) => goTo(desk, ''),
    byKeyboard: async ({ page, keys, type, customer }) => {
      await keys('Control+K');
      await page.locator('.palette-input:focus').waitFor();
      await type(customer.word.slice(1, 6));
      await keys('Enter');
      await waitForHeading(page, customer.name);
    },
    byMouse: async ({ page, type, customer }) => {
      await page.locator('.search-button').click();
      await page.locator('.palette-input:focus').waitFor();
      await type(customer.word.slice(1, 6));
      await page.locator('.palette-item').filter({ hasText: customer.name }).click();
      await waitForHeading(page, customer.name);
    },
  },
  'block with a reason and a note': {
    before: { keys: 6 + NOTE.length, clicks: 3 },
    most: { keys: 22, clicks: 5 },
    open: openPerson,
    byKeyboard: async ({ words, customer, keys, type, dialog, tabTo, chooseByKeys, said }) => {
      await chooseByKeys(words.users.block, 'ArrowUp');
      await dialog.locator('input:focus').waitFor();
      await keys('Space');
      await keys('Tab');
      await type(NOTE);
      await tabTo(dialog.locator('button[type=submit]'));
      await keys('Enter');
      await said(words.userActions.blocked(customer.name));
    },
    byMouse: async ({ words, customer, type, dialog, choose, said }) => {
      await choose(words.users.block);
      await dialog.getByText(words.userHelp.reasons.fraud).click();
      await dialog.locator('textarea').click();
      await type(NOTE);
      await dialog.locator('button[type=submit]').click();
      await said(words.userActions.blocked(customer.name));
    },
  },
  'undo the block': {
    before: { keys: 3, clicks: 1 },
    most: { keys: 2, clicks: 1 },
    // Continues where the block has ended.
    open: async () => undefined,
    byKeyboard: async ({ page, keys, tabTo }) => {
      await tabTo(page.locator('.status-line button').first());
      await keys('Enter');
      await page.locator('.notice-bad').waitFor({ state: 'detached' });
    },
    byMouse: async ({ page }) => {
      await page.locator('.status-line button').first().click();
      await page.locator('.notice-bad').waitFor({ state: 'detached' });
    },
  },
  'see why they cannot sign in': {
    before: { keys: 0, clicks: 0 },
    most: { keys: 0, clicks: 0 },
    open: async (desk) => {
      await query('update users set is_blocked = true where id = $1', desk.customer.id);
      await openPerson(desk);
    },
    byKeyboard: ({ page, words }) => page.getByText(words.users.reasons.blocked).waitFor(),
    byMouse: ({ page, words }) => page.getByText(words.users.reasons.blocked).waitFor(),
  },
  'write a note': {
    before: { clicks: 3 },
    most: { keys: 11, clicks: 2 },
    open: async (desk) => {
      await query('update users set is_blocked = false where id = $1', desk.customer.id);
      await openPerson(desk);
    },
    byKeyboard: async ({ words, keys, type, dialog, said }) => {
      await keys('n');
      await dialog.locator('textarea:focus').waitFor();
      await type(NOTE);
      await keys('Control+Enter');
      await said(words.userActions.added);
    },
    byMouse: async ({ page, words, type, dialog, said }) => {
      await page.locator('main').getByRole('button', { name: words.users.add, exact: true }).click();
      await type(NOTE);
      await dialog.locator('button[type=submit]').click();
      await said(words.userActions.added);
    },
  },
  'give a role': {
    before: { keys: 8, clicks: 4 },
    most: { keys: 12, clicks: 5 },
    open: openPerson,
    byKeyboard: async ({ words, customer, keys, dialog, tabTo, chooseByKeys, said }) => {
      await chooseByKeys(words.users.giveRole, 'ArrowDown');
      await dialog.locator('select:focus').waitFor();
      await keys('ArrowDown');
      await tabTo(dialog.locator('button[type=submit]'));
      await keys('Enter');
      await said(words.userActions.given(customer.name, words.names.roles['ARBITER'] ?? ''));
    },
    byMouse: async ({ page, words, customer, dialog, choose, said }) => {
      await choose(words.users.giveRole);
      // A native list needs two clicks, which belong to the browser.
      await dialog.locator('select').selectOption('ARBITER');
      await page.evaluate('effort.clicks += 2');
      await dialog.locator('button[type=submit]').click();
      await said(words.userActions.given(customer.name, words.names.roles['ARBITER'] ?? ''));
    },
  },
  'take a role': {
    before: { keys: 6, clicks: 2 },
    most: { keys: 10, clicks: 3 },
    open: openPerson,
    byKeyboard: async ({ words, customer, keys, dialog, tabTo, chooseByKeys, said }) => {
      await chooseByKeys(words.users.takeRole, 'ArrowDown');
      await dialog.waitFor();
      await tabTo(dialog.locator('button[type=submit]'));
      await keys('Enter');
      await said(words.userActions.taken(customer.name, words.names.roles['ARBITER'] ?? ''));
    },
    byMouse: async ({ words, customer, dialog, choose, said }) => {
      await choose(words.users.takeRole);
      await dialog.locator('button[type=submit]').click();
      await said(words.userActions.taken(customer.name, words.names.roles['ARBITER'] ?? ''));
    },
  },
  'end all sessions': {
    before: { keys: 4, clicks: 2 },
    most: { keys: 9, clicks: 2 },
    open: async (desk) => {
      await withRecords((records) => records.session(desk.customer.id));
      await openPerson(desk);
    },
    byKeyboard: async ({ words, customer, keys, dialog, tabTo, button, said }) => {
      await tabTo(button(words.users.endAll));
      await keys('Enter');
      await dialog.waitFor();
      await tabTo(dialog.locator('button[type=submit]'));
      await keys('Enter');
      await said(words.userActions.endedAll(customer.name));
    },
    byMouse: async ({ words, customer, dialog, button, said }) => {
      await button(words.users.endAll).click();
      await dialog.locator('button[type=submit]').click();
      await said(words.userActions.endedAll(customer.name));
    },
  },
  'remove one factor': {
    before: { keys: 5, clicks: 2 },
    most: { keys: 10, clicks: 2 },
    open: async (desk) => {
      await withRecords((records) => addSecondFactor(records, desk.customer.id));
      await openPerson(desk);
    },
    byKeyboard: async ({ words, customer, keys, dialog, tabTo, button, said }) => {
      await tabTo(button(`${words.userHelp.removeOne} ${words.users.app}`));
      await keys('Enter');
      await dialog.waitFor();
      await tabTo(dialog.locator('button[type=submit]'));
      await keys('Enter');
      await said(words.userHelp.appRemoved(customer.name));
    },
    byMouse: async ({ words, customer, dialog, button, said }) => {
      await button(`${words.userHelp.removeOne} ${words.users.app}`).click();
      await dialog.locator('button[type=submit]').click();
      await said(words.userHelp.appRemoved(customer.name));
    },
  },
  'delete an account': {
    before: { keys: 30, clicks: 2 },
    most: { keys: 32, clicks: 3 },
    open: openPerson,
    byKeyboard: async ({ words, customer, keys, type, dialog, chooseByKeys, said }) => {
      await chooseByKeys(words.users.delete, 'ArrowUp');
      await dialog.locator('input:focus').waitFor();
      await type(customer.email);
      await keys('Enter');
      await said(words.userActions.erased(customer.name));
    },
    byMouse: async ({ words, customer, type, dialog, choose, said }) => {
      await choose(words.users.delete);
      await dialog.locator('input:focus').waitFor();
      await type(customer.email);
      await dialog.locator('button[type=submit]').click();
      await said(words.userActions.erased(customer.name));
    },
  },
};
