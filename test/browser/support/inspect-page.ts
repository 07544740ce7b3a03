import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { findAllViolations } from './axe.ts';
import { saveScreenshot } from './browser-test.ts';

export const WIDTHS = [320, 1280];
export const SCHEMES = ['light', 'dark'] as const;

/** Nothing is wider than the page, also with the spacing of WCAG 1.4.12. */
const expectNoOverflow = async (page: Page, name: string): Promise<void> => {
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await page.evaluate(overflow), name).to.be.at.most(0);
  await page.evaluate(`(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }');
    document.adoptedStyleSheets = [sheet];
  })()`);
  expect(await page.evaluate(overflow), `${name}, spaced`).to.be.at.most(0);
  await page.evaluate('document.adoptedStyleSheets = []');
};

/** Looks for overflow in each width, and takes a screenshot. */
export const inspectWidths = async (page: Page, name: string): Promise<void> => {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await saveScreenshot(page, `${name} ${width}`);
    await expectNoOverflow(page, `${name}, ${width} px`);
  }
};

/** Runs axe, and takes a screenshot. */
const inspectWithAxe = async (page: Page, name: string, width: number): Promise<void> => {
  await page.setViewportSize({ width, height: 900 });
  await saveScreenshot(page, `${name} ${width}`);
  // Axe takes a button that is halfway under the top bar for one that is too small.
  await page.evaluate('scrollTo(0, 0)');
  expect(await findAllViolations(page), `${name}, ${width} px`).to.deep.equal([]);
};

/** Runs axe and looks for overflow in each width, and takes a screenshot. */
export const inspectPage = async (page: Page, name: string): Promise<void> => {
  for (const width of WIDTHS) {
    await inspectWithAxe(page, name, width);
    await expectNoOverflow(page, `${name}, ${width} px`);
  }
};

/** The same in the light scheme, and axe in the dark one, which differs in its colours only. */
export const inspectLightAndDark = async (page: Page, name: string): Promise<void> => {
  // Otherwise the picture shows a colour between both schemes.
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await inspectPage(page, `${name} light`);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await inspectWithAxe(page, `${name} dark`, 1280);
};
