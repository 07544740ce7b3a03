import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { wordsOf } from '../page-words.ts';
import { findAllViolations } from '../support/axe.ts';
import { browserTest, saveScreenshot } from '../support/browser-test.ts';
import { openScreens, type Screen, type ScreenIds, showScreen } from './back-office-screens.ts';
import { ENGLISH } from './console-tab.ts';

const WORDS = wordsOf('en');

/** The lines around an element, which forced colours keep, in contrast to its background. */
const readLines = (element: Locator): Promise<string> =>
  element.evaluate((node) => {
    const { getComputedStyle } = globalThis as unknown as {
      getComputedStyle: (of: unknown) => Record<string, string>;
    };
    const style = getComputedStyle(node);
    const names = ['outlineStyle', 'outlineWidth', 'borderTopWidth', 'borderLeftWidth'];
    return names.map((name) => style[name]).join(' ');
  });

type Current = Screen & {
  width?: number;
  current: (page: Page) => Locator;
  other: (page: Page) => Locator;
};

const options = (page: Page) => page.locator('.palette-item');

const listCurrent = (ids: ScreenIds): Record<string, Current> => {
  const users = { path: 'users', ready: '1–20' };
  const navigation = {
    ...users,
    current: (page: Page) => page.locator('.nav-link[aria-current]').last(),
    other: (page: Page) => page.locator('.nav-link:not([aria-current])').last(),
  };
  const request = { path: `contact-requests/${ids.request}`, ready: WORDS.contact.doneAndNext };
  const pressed = (part: string) => ({
    current: (page: Page) => page.locator(`${part} [aria-pressed=true]`).first(),
    other: (page: Page) => page.locator(`${part} [aria-pressed=false]`).first(),
  });
  return {
    'place in the side bar': navigation,
    'place in the bar of icons': { ...navigation, width: 900 },
    'place in the menu of a phone': {
      ...navigation,
      width: 320,
      open: (page) => page.getByRole('button', { name: 'Menu' }).click(),
    },
    'hit of the search': {
      ...users,
      open: (page) => page.keyboard.press('Control+K'),
      current: (page) => options(page).first(),
      other: (page) => options(page).nth(1),
    },
    'selected row': {
      ...users,
      open: (page) => page.locator('[data-row] input[type=checkbox]').first().check(),
      current: (page) => page.locator('tr[data-row]').first(),
      other: (page) => page.locator('tr[data-row]').nth(1),
    },
    'row with the focus': {
      ...users,
      open: (page) => page.keyboard.press('j'),
      current: (page) => page.locator('tr[data-row] td').first(),
      other: (page) => page.locator('tr[data-row]').nth(1).locator('td').first(),
    },
    'part of the timeline': { path: `users/${ids.user}`, ready: WORDS.users.signedInAt, ...pressed('main') },
    'request of the inbox': {
      ...request,
      current: (page) => page.locator('.request-row[aria-current]'),
      other: (page) => page.locator('.request-row:not([aria-current])').first(),
    },
    'view of the inbox': { ...request, ...pressed('.request-inbox-list') },
    'kind of an answer': { ...request, ...pressed('.composer') },
  };
};

/** Returns what is wrong with the screen. */
const inspect = async (page: Page, name: string, choice: Current): Promise<string[]> => {
  const { path, ready, width = 1280, open, current, other } = choice;
  await showScreen(page, { path, ready }, width);
  await open?.(page);
  await current(page).waitFor();
  await saveScreenshot(page, `forced colours ${name}`);
  // Before axe, which may move the focus.
  const [lines, others] = [await readLines(current(page)), await readLines(other(page))];
  const violations = await findAllViolations(page);
  return lines === others ? [...violations, `looks like the others: ${lines}`] : violations;
};

describe('forced colours in the console', () => {
  it(
    'leave the current entry of each choice visible',
    browserTest(async (openBrowser) => {
      // Two people, projects and requests, so that one of each is current beside another.
      await openScreens(openBrowser, ENGLISH, WORDS);
      const { page, ids } = await openScreens(openBrowser, { ...ENGLISH, forcedColors: 'active' }, WORDS);
      const failures: string[] = [];
      for (const [name, choice] of Object.entries(listCurrent(ids))) {
        const found = await inspect(page, name, choice).catch((error: Error) => [error.message]);
        failures.push(...found.map((text) => `${name}: ${text}`));
      }
      expect(failures.join('\n')).to.equal('');
    }),
  ).timeout(300_000);
});
