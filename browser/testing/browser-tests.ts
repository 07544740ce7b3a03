import { type BrowserContext, type BrowserContextOptions, devices, type Page } from 'playwright-core';
import { platform } from './platform.ts';
import { saveScreenshot } from './screenshots.ts';
import { watch } from './watch.ts';

export const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
/** An iPhone 13's screen with its whole height, touch and pixel ratio. */
export const PHONE: BrowserContextOptions = {
  ...devices['iPhone 13'],
  viewport: { width: 390, height: 844 },
};

/** What a person sees, rather than what the page's script thinks. */
const ACTION_MILLISECONDS = 10_000;

export type Visitor = {
  /** The cookies and the storage that its tabs share. */
  context: BrowserContext;
  open: (url: string) => Promise<Page>;
  /** From now on the browser may complain in this way: the test is about it. */
  expect: (...complaints: RegExp[]) => void;
};

/**
 * Gives each test visitors with nothing in their browsers. A test fails when a page of theirs complains in the console,
 * breaks its policy or asks a foreign host, and leaves a screenshot whenever it fails.
 */
export const useBrowser = () => {
  const open: { context: BrowserContext; complaints: () => string[] }[] = [];

  afterEach('close the browsers', async function () {
    const visitors = open.splice(0);
    if (this.currentTest?.isFailed())
      for (const page of visitors.flatMap(({ context }) => context.pages()))
        await saveScreenshot(page, `failed ${this.currentTest.title}`);
    const complaints = visitors.flatMap((visitor) => visitor.complaints());
    for (const { context } of visitors) await context.close();
    if (complaints.length > 0) throw new Error(`The browser complained:\n${complaints.join('\n')}`);
  });

  return async (options = DESKTOP): Promise<Visitor> => {
    const context = await platform().browser.newContext(options);
    context.setDefaultTimeout(ACTION_MILLISECONDS);
    const { expect, complaints } = watch(context);
    open.push({ context, complaints });
    const openPage = async (url: string) => {
      const page = await context.newPage();
      await page.goto(url);
      return page;
    };
    return { context, open: openPage, expect };
  };
};
