import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { wordsOf } from '../page-words.ts';
import { browserTest, saveScreenshot } from '../support/browser-test.ts';
import { listMenus, listScreens, openScreens, showScreen } from './back-office-screens.ts';
import { ENGLISH, GERMAN, readPolicyViolations } from './console-tab.ts';

const MARKUP = '<img src=x onerror=document.title=1>';
const WORD = 'Donaudampfschifffahrtsgesellschaft';

/** Markup, then a word that never ends. */
const toHostile = (maxLength: number): string =>
  `${MARKUP}${WORD.repeat(Math.ceil(maxLength / WORD.length))}`.slice(0, maxLength);

/** Lists the elements that are wider than the page, its dialog or its menu, and the controls that nobody can reach. */
const TOO_WIDE = `(() => {
  const { clientWidth, scrollWidth } = document.documentElement;
  const roots = [...document.querySelectorAll('dialog[open], [role=menu], .popover')];
  const boxes = [document.documentElement, ...roots, ...roots.flatMap((root) => [...root.querySelectorAll('*')])];
  const scrolled = boxes.filter((box) => box.scrollWidth > box.clientWidth + 1
    && (box === document.documentElement || ['auto', 'scroll'].includes(getComputedStyle(box).overflowX)));
  const missed = [...document.querySelectorAll('main :is(button, a, input, select, textarea), dialog[open] *, [role=menu] *, .popover *')]
    .filter((control) => control.checkVisibility({ visibilityProperty: true }) && !control.closest('.visually-hidden, .text-cut, svg'))
    .filter((control) => {
      const { left, right, width } = control.getBoundingClientRect();
      return width > 1 && (left < -1 || right > clientWidth + 1);
    });
  return [...new Set([...scrolled, ...missed])].map((box) => box.cloneNode(false).outerHTML.slice(0, 160));
})()`;

/** The elements that the markup would create. */
const CREATED = `document.querySelectorAll('[onerror], img[src=x]').length`;

/** Dialogs that are no sheet over the whole width at the foot. */
const NO_SHEET = `[...document.querySelectorAll('.dialog[open]')].map((dialog) => dialog.getBoundingClientRect())
  .filter(({ left, right, bottom }) => left !== 0 || right !== innerWidth || Math.abs(bottom - innerHeight) > 1).length`;

const expectText = async (page: Page, name: string): Promise<void> => {
  await saveScreenshot(page, `hostile ${name}`);
  expect(await page.evaluate(TOO_WIDE), `${name}: too wide`).to.deep.equal([]);
  expect(await page.evaluate(NO_SHEET), `${name}: no sheet`).to.equal(0);
  expect(await page.evaluate(CREATED), `${name}: markup`).to.equal(0);
  expect(await page.title(), name).not.to.equal('1');
  expect(await readPolicyViolations(page), name).to.deep.equal([]);
};

/** Screens and dialogs that show neither a name nor anything else that somebody has typed. */
const WITHOUT_TEXTS = [
  ...['search without a hit', 'shortcuts', 'no users', 'missing user', 'missing page'],
  ...['take a role', 'invite a colleague', 'send an invitation again', 'withdraw an invitation'],
  ...['delete a mail', 'mails', 'colleagues'],
  ...['leave a changed project', 'filter of users', 'actions in the log', 'people in the log'],
];

describe('hostile texts in the console', () => {
  for (const [language, options] of [['en', ENGLISH] as const, ['de', GERMAN] as const])
    it(
      `are shown as texts, run nothing, and break no screen or dialog at 320 px, ${language}`,
      browserTest(async (openBrowser) => {
        // A dialog that still moves is no sheet at the foot.
        const motionless = { ...options, reducedMotion: 'reduce' } as const;
        const words = wordsOf(language);
        const { page, ids } = await openScreens(openBrowser, motionless, words, toHostile);
        const screens = { ...listScreens(words, ids, MARKUP), ...listMenus(words, ids) };
        const failures: string[] = [];
        for (const [name, screen] of Object.entries(screens))
          try {
            await showScreen(page, screen, 320);
            await expectText(page, `${name} ${language}`);
            if (!WITHOUT_TEXTS.includes(name))
              expect(await page.locator('body').textContent(), name).to.include(MARKUP);
          } catch (error) {
            failures.push(`${name}: ${(error as Error).message}`);
          }
        expect(failures.join('\n')).to.equal('');
      }),
    ).timeout(900_000);
});
