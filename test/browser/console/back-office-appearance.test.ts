import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { wordsOf } from '../page-words.ts';
import { findAllViolations } from '../support/axe.ts';
import { browserTest, type OpenBrowser, saveScreenshot } from '../support/browser-test.ts';
import { inspectLightAndDark, SCHEMES, WIDTHS } from '../support/inspect-page.ts';
import { listMenus, listScreens, prepareScreens, showScreen } from './back-office-screens.ts';
import {
  createColleague,
  ENGLISH,
  GERMAN,
  openConsole,
  readPolicyViolations,
  signIn,
  waitForHeading,
} from './console-tab.ts';

const OPTIONS = { en: ENGLISH, de: GERMAN };

const openBackOffice = async (openBrowser: OpenBrowser, language: 'en' | 'de') => {
  const browser = await openBrowser(OPTIONS[language]);
  browser.allowErrors(/status of 404/);
  const page = await openConsole(browser);
  const admin = await createColleague('ADMIN');
  await signIn(page, admin);
  const words = wordsOf(language);
  await waitForHeading(page, words.overview.title);
  return { page, words, ids: await prepareScreens(admin) };
};

const inspectMenu = async (page: Page, name: string): Promise<void> => {
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await saveScreenshot(page, `${name} ${colorScheme}`);
    expect(await findAllViolations(page), `${name}, ${colorScheme}`).to.deep.equal([]);
  }
};

describe('appearance of the back office', () => {
  for (const language of ['en', 'de'] as const) {
    it(
      `has no axe finding and no overflow, light and dark, ${language}`,
      browserTest(async (openBrowser) => {
        const { page, words, ids } = await openBackOffice(openBrowser, language);
        for (const [name, screen] of Object.entries(listScreens(words, ids, 'Florist'))) {
          await showScreen(page, screen, 1280);
          await inspectLightAndDark(page, `console ${name} ${language}`);
          expect(await readPolicyViolations(page), name).to.deep.equal([]);
        }
      }),
    ).timeout(900_000);

    it(
      `has no axe finding in a menu, light and dark, ${language}`,
      browserTest(async (openBrowser) => {
        const { page, words, ids } = await openBackOffice(openBrowser, language);
        for (const [name, menu] of Object.entries(listMenus(words, ids)))
          for (const width of WIDTHS) {
            await showScreen(page, menu, width);
            await inspectMenu(page, `console ${name} ${language} ${width}`);
          }
      }),
    ).timeout(300_000);
  }
});
