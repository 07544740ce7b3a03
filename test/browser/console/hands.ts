import type { Locator, Page } from 'playwright-core';

/** How somebody uses a page. */
export type Hands = {
  press: (target: Locator) => Promise<void>;
  type: (field: Locator, text: string) => Promise<void>;
  choose: (field: Locator, value: string) => Promise<void>;
};

const useMouse = (page: Page): Hands => ({
  press: (target) => target.click(),
  type: async (field, text) => {
    await field.click();
    await page.keyboard.type(text);
  },
  choose: async (field, value) => void (await field.selectOption(value)),
});

/** More than any screen has: its end comes back to the start. */
const MAX_STOPS = 150;

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
  };
};

export const HANDS = { mouse: useMouse, keyboard: useKeyboard };
