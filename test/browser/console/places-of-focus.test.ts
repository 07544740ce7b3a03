import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { browserTest, type OpenBrowser } from '../support/browser-test.ts';
import { createCustomer, withRecords } from './back-office-records.ts';
import { chooseAction, consoleUrl, ENGLISH, openSignedIn, waitForHeading } from './console-tab.ts';

const openPeople = async (openBrowser: OpenBrowser): Promise<Page> => {
  // More than one window of rows.
  await withRecords((records) => Promise.all(Array.from({ length: 20 }, () => records.user(['CUSTOMER']))));
  const page = await openSignedIn(openBrowser, 'ADMIN', { path: 'users' });
  await page.locator('tbody a').nth(19).waitFor();
  return page;
};

/** Fails if something lies over the middle of an element, or if it is outside the window. */
const expectOnTop = async (element: Locator): Promise<void> => {
  const { x, y, width, height } = (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const point = `${x + width / 2}, ${y + height / 2}`;
  const onTop = await element.page().evaluate(`document.elementFromPoint(${point})?.textContent`);
  expect(onTop).to.equal(await element.textContent());
};

describe('lists, menus and dialogs of the console', () => {
  it(
    'returns the focus to the row that Back comes from, in a list and in the inbox',
    browserTest(async (openBrowser) => {
      const page = await openPeople(openBrowser);
      const link = page.locator('tbody a').nth(3);
      const name = (await link.textContent()) ?? '';
      await link.focus();
      await page.keyboard.press('Enter');
      await waitForHeading(page, name);
      await page.goBack();
      await link.and(page.locator(':focus')).waitFor();

      for (let count = 0; count < 2; count += 1) await withRecords((records) => records.contactRequest());
      await page.goto(consoleUrl('contact-requests'));
      const row = page.locator('.request-row').nth(1);
      await row.click();
      await page.locator('.request-detail:focus').waitFor();
      await page.goBack();
      await row.and(page.locator(':focus')).waitFor();
    }),
  );

  it(
    'shows a menu over the head of a table',
    browserTest(async (openBrowser) => {
      const page = await openPeople(openBrowser);
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      const menu = page.getByRole('menu');
      // The head is behind this name of the first items.
      await expectOnTop(menu.getByText('Role', { exact: true }));
      for (const item of await menu.getByRole('menuitemradio').all()) await expectOnTop(item);
    }),
  );

  it(
    'scrolls nothing when Escape closes a menu',
    browserTest(async (openBrowser) => {
      const page = await openPeople(openBrowser);
      await page.locator('.side-bar .account-button').last().click();
      await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
      await page.keyboard.press('Escape');
      expect(await page.evaluate('scrollY')).to.equal(0);
    }),
  );

  it(
    'keeps the foot of a dialog in sight in a low window',
    browserTest(async (openBrowser) => {
      const customer = await createCustomer();
      const page = await openSignedIn(openBrowser, 'ADMIN', {
        options: { ...ENGLISH, viewport: { width: 1280, height: 560 } },
      });
      await waitForHeading(page, 'Overview');
      await page.goto(consoleUrl(`users/${customer.id}`));
      await chooseAction(page, 'Block …');
      const dialog = page.getByRole('dialog', { name: `Block ${customer.name}?` });
      for (const name of ['Cancel', 'Block user']) await expectOnTop(dialog.getByRole('button', { name }));
    }),
  );
});
