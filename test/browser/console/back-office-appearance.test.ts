import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { wordsOf } from '../page-words.ts';
import { findAllViolations } from '../support/axe.ts';
import { browserTest, saveScreenshot } from '../support/browser-test.ts';
import { inspectLightAndDark, inspectWidths, SCHEMES, WIDTHS } from '../support/inspect-page.ts';
import { listMenus, listScreens, openScreens, showScreen } from './back-office-screens.ts';
import { ENGLISH, GERMAN, readPolicyViolations } from './console-tab.ts';

/** Opens each screen, and each dialog, of the console, and inspects it. */
const inspectScreens = (language: 'en' | 'de', inspect: (page: Page, name: string) => Promise<void>) =>
  browserTest(async (openBrowser) => {
    const words = wordsOf(language);
    const { page, ids } = await openScreens(openBrowser, { en: ENGLISH, de: GERMAN }[language], words);
    for (const [name, screen] of Object.entries(listScreens(words, ids, 'Florist'))) {
      await showScreen(page, screen, 1280);
      await inspect(page, `console ${name} ${language}`);
      expect(await readPolicyViolations(page), name).to.deep.equal([]);
    }
  });

const inspectMenu = async (page: Page, name: string): Promise<void> => {
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await saveScreenshot(page, `${name} ${colorScheme}`);
    expect(await findAllViolations(page), `${name}, ${colorScheme}`).to.deep.equal([]);
  }
};

describe('appearance of the back office', () => {
  it('has no axe finding and no overflow, light and dark', inspectScreens('en', inspectLightAndDark)).timeout(
    900_000,
  );

  it('has no overflow in German, whose words are longer', inspectScreens('de', inspectWidths)).timeout(
    900_000,
  );

  it(
    'has no axe finding in a menu, light and dark',
    browserTest(async (openBrowser) => {
      const words = wordsOf('en');
      const { page, ids } = await openScreens(openBrowser, ENGLISH, words);
      for (const [name, menu] of Object.entries(listMenus(words, ids)))
        for (const width of WIDTHS) {
          await showScreen(page, menu, width);
          await inspectMenu(page, `console ${name} ${width}`);
        }
    }),
  ).timeout(300_000);
});
