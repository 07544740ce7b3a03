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

/** The longest that a page may take to show what it was asked for, on a machine that has more to do. */
const ACTION_MILLISECONDS = 20_000;

export type Visitor = {
  /** The cookies and the storage that its tabs share. */
  context: BrowserContext;
  open: (url: string) => Promise<Page>;
  /** The browser may complain in this way: the test is about it. */
  expect: (...complaints: RegExp[]) => void;
};

export type Visit = (options?: BrowserContextOptions) => Promise<Visitor>;

const receive = async (options: BrowserContextOptions) => {
  const context = await platform().browser.newContext(options);
  context.setDefaultTimeout(ACTION_MILLISECONDS);
  const { expect, complaints } = watch(context);
  const open = async (url: string) => {
    const page = await context.newPage();
    await page.goto(url);
    return page;
  };
  return { context, open, expect, complaints };
};

/**
 * A test's story with visitors who have nothing in their browsers. It fails, too, when a page of theirs complains in the
 * console, breaks its policy or asks a foreign host; whenever it fails, it leaves screenshots.
 */
export const browsing = (story: (visit: Visit) => Promise<void>) =>
  async function (this: Mocha.Context): Promise<void> {
    const visitors: Awaited<ReturnType<typeof receive>>[] = [];
    try {
      await story(async (options = DESKTOP) => {
        const visitor = await receive(options);
        visitors.push(visitor);
        return visitor;
      });
      const complaints = visitors.flatMap((visitor) => visitor.complaints());
      if (complaints.length > 0) throw new Error(`The browser complained:\n${complaints.join('\n')}`);
    } catch (error) {
      const pages = visitors.flatMap(({ context }) => context.pages());
      // Settled: one that fails must not hide why the test did.
      await Promise.allSettled(
        pages.map((page, index) => saveScreenshot(page, `failed ${this.test?.title} ${index + 1}`)),
      );
      throw error;
    } finally {
      for (const { context } of visitors) await context.close();
    }
  };
