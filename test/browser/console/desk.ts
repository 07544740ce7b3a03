import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import type { ConsoleWords } from '../page-words.ts';
import { waitForHeading } from './console-tab.ts';

/** How somebody uses a page. */
type Hands = {
  press: (target: Locator) => Promise<void>;
  type: (field: Locator, text: string) => Promise<void>;
  choose: (field: Locator, value: string) => Promise<void>;
  pressItem: (menu: Locator, item: Locator) => Promise<void>;
};
type Hand = 'mouse' | 'keyboard';

const useMouse = (page: Page): Hands => ({
  press: (target) => target.click(),
  type: async (field, text) => {
    await field.click();
    await page.keyboard.type(text);
  },
  choose: async (field, value) => void (await field.selectOption(value)),
  pressItem: async (menu, item) => {
    await menu.click();
    await item.click();
  },
});

/** More than any screen has. */
const MAX_STOPS = 200;

/** Moves the focus only as a person without a mouse can. */
const useKeyboard = (page: Page): Hands => {
  const reach = async (target: Locator): Promise<void> => {
    await target.waitFor();
    for (let stops = 0; stops < MAX_STOPS; stops += 1) {
      if ((await target.and(page.locator(':focus')).count()) > 0) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`No Tab leads to ${target}`);
  };
  return {
    press: async (target) => {
      await reach(target);
      await page.keyboard.press('Enter');
    },
    type: async (field, text) => {
      await reach(field);
      await page.keyboard.type(text);
    },
    choose: async (field, value) => {
      await reach(field);
      await page.keyboard.press('Home');
      while ((await field.inputValue()) !== value) await page.keyboard.press('ArrowDown');
    },
    pressItem: async (menu, item) => {
      await reach(menu);
      await page.keyboard.press('Enter');
      await page.locator('[role=menuitem]:focus').waitFor();
      // A menu leads from its last entry to its first, so an entry that is missing would be looked for forever.
      expect(await item.count(), `${item}`).to.equal(1);
      while ((await item.and(page.locator(':focus')).count()) === 0) await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
    },
  };
};

const HANDS = { mouse: useMouse, keyboard: useKeyboard };

/** Everything that an administrator does on a page, by keyboard alone or by mouse, in one language. */
export const createDesk = (page: Page, words: ConsoleWords, hand: Hand) => {
  const hands = HANDS[hand](page);
  const button = (name: string) => page.locator('main').getByRole('button', { name, exact: true });
  const dialog = page.locator('dialog[open]');
  const see = (text: string) => page.locator('main').getByText(text).first().waitFor();
  const hear = (text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor();
  const finish = async (confirm: string, said: string, fill?: () => Promise<void>): Promise<void> => {
    await dialog.waitFor();
    await fill?.();
    await hands.press(dialog.getByRole('button', { name: confirm, exact: true }));
    await hear(said);
  };
  return {
    ...hands,
    page,
    words,
    button,
    dialog,
    see,
    hear,
    open: async (title: string) => {
      // The number of what waits is part of the name.
      const name = new RegExp(`^${title}(?! \\p{L})`, 'u');
      await hands.press(page.getByRole('navigation').first().getByRole('link', { name }));
      await waitForHeading(page, title);
    },
    /** Finds the only row with this text, and opens it. */
    find: async (label: string, text: string, name: string) => {
      await hands.type(page.getByLabel(label, { exact: true }), text);
      await page.getByText(/^1–1 /).waitFor();
      await hands.press(page.locator('tbody').getByRole('link', { name, exact: true }));
      await waitForHeading(page, name);
    },
    /** Opens a dialog, fills it in, confirms it, and waits for what the page says afterwards. */
    act: async (name: string, confirm: string, said: string, fill?: () => Promise<void>) => {
      await hands.press(button(name));
      await finish(confirm, said, fill);
    },
    /** The same, from the menu of a person. */
    actInMenu: async (item: string, confirm: string, said: string, fill?: () => Promise<void>) => {
      await hands.pressItem(
        button(words.userHelp.actions),
        page.getByRole('menuitem', { name: item, exact: true }),
      );
      await finish(confirm, said, fill);
    },
  };
};
export type Desk = ReturnType<typeof createDesk>;
