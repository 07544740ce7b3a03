import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import type { ConsoleWords } from '../../page-words.ts';
import type { Effort } from '../../support/effort.ts';
import { type createCustomer, withRecords } from '../back-office-records.ts';
import { consoleUrl, type Person } from '../console-tab.ts';

/** The page of an administrator, and the steps that people take on it. */
export type Desk = {
  page: Page;
  words: ConsoleWords;
  admin: Person;
  customer: Awaited<ReturnType<typeof createCustomer>>;
  button: (name: string | RegExp) => Locator;
  dialog: Locator;
  said: (text: string | RegExp) => Promise<void>;
  keys: (...keys: string[]) => Promise<void>;
  type: (text: string) => Promise<void>;
  /** Presses Tab until the control has the focus. */
  tabTo: (control: Locator) => Promise<void>;
  /** Chooses from the menu "Actions" with the arrow that is nearer. */
  chooseByKeys: (item: string, arrow: 'ArrowDown' | 'ArrowUp') => Promise<void>;
  choose: (item: string) => Promise<void>;
};

export type Task = {
  /** The keys and clicks before the redesign. An address has 24 letters. */
  before: Partial<Effort>;
  /** The most that it may need. */
  most: Effort;
  /** Opens the page where the task begins; that is not counted. */
  open: (desk: Desk) => Promise<unknown>;
  byKeyboard: (desk: Desk) => Promise<unknown>;
  byMouse: (desk: Desk) => Promise<unknown>;
};

/** A note, with the eight letters that `before` counts. */
export const NOTE = 'Call her';

export const goTo = async ({ page }: Desk, path: string): Promise<void> => {
  await page.goto('about:blank');
  await page.goto(consoleUrl(path));
  await page.locator('main h1').waitFor();
  await page.waitForLoadState('networkidle');
};
export const openPerson = (desk: Desk) => goTo(desk, `users/${desk.customer.id}`);

export const query = (text: string, ...values: unknown[]) =>
  withRecords((records) => records.query(text, values));

export const createDesk = (
  page: Page,
  words: ConsoleWords,
  people: Pick<Desk, 'admin' | 'customer'>,
): Desk => {
  const dialog = page.locator('dialog[open]');
  const button = (name: string | RegExp) =>
    page.locator('main').getByRole('button', { name, exact: typeof name === 'string' });
  const keys = async (...all: string[]): Promise<void> => {
    for (const key of all) await page.keyboard.press(key);
  };
  const tabTo = async (control: Locator): Promise<void> => {
    await control.waitFor();
    for (let presses = 0; presses < 100; presses += 1) {
      if ((await control.and(page.locator(':focus')).count()) > 0) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`No Tab leads to ${control}`);
  };
  const menu = button(words.userHelp.actions);
  const item = (name: string) => page.getByRole('menuitem', { name, exact: true });
  return {
    page,
    words,
    ...people,
    button,
    dialog,
    keys,
    tabTo,
    type: (text) => page.keyboard.type(text),
    said: (text) => page.getByRole('status').getByText(text).first().waitFor(),
    choose: async (name) => {
      await menu.click();
      await item(name).click();
    },
    chooseByKeys: async (name, arrow) => {
      await tabTo(menu);
      await keys('Enter');
      await page.locator('[role=menuitem]:focus').waitFor();
      expect(await item(name).count(), name).to.equal(1);
      while ((await item(name).and(page.locator(':focus')).count()) === 0) await keys(arrow);
      await keys('Enter');
    },
  };
};
