import { join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  devices,
  type Page,
} from 'playwright-core';
import { watchConsoleErrors } from './console-errors.ts';
import { getPlatform, SCREENSHOTS, startPlatform } from './platform.ts';

/** Writes to test/browser/screenshots. */
export const saveScreenshot = async (page: Page, name: string): Promise<void> => {
  const file = `${name.replace(/[^\w]+/g, '-').toLowerCase()}.png`;
  await page.screenshot({ path: join(SCREENSHOTS, file) });
};

export const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
/** An iPhone 13 with touch and its pixel ratio. The viewport has the full height of the screen. */
export const PHONE: BrowserContextOptions = {
  ...devices['iPhone 13'],
  viewport: { width: 390, height: 844 },
};

/** Even a page on a busy machine needs less. */
const ACTION_MILLISECONDS = 20_000;

export type TestBrowser = {
  /** Cookies and storage, shared by all tabs. */
  context: BrowserContext;
  open: (url: string) => Promise<Page>;
  /** Allows console errors that the test provokes. */
  allowErrors: (...patterns: RegExp[]) => void;
};

export type OpenBrowser = (options?: BrowserContextOptions) => Promise<TestBrowser>;

export const createTestBrowser = async (options: BrowserContextOptions, chromium = getPlatform().browser) => {
  const context = await chromium.newContext(options);
  context.setDefaultTimeout(ACTION_MILLISECONDS);
  const { allow, unexpected } = watchConsoleErrors(context);
  const open = async (url: string) => {
    const page = await context.newPage();
    await page.goto(url);
    return page;
  };
  return { context, open, allowErrors: allow, unexpectedErrors: unexpected };
};

/**
 * Wraps a test that opens empty browser contexts. The test also fails when a page logs an unexpected console
 * error, violates its content security policy or sends a request to another host. A failed test saves
 * screenshots.
 */
export const browserTest = (
  test: (openBrowser: OpenBrowser) => Promise<void>,
  getChromium?: () => Browser | undefined,
) =>
  async function (this: Mocha.Context): Promise<void> {
    await startPlatform();
    const browsers: Awaited<ReturnType<typeof createTestBrowser>>[] = [];
    try {
      await test(async (options = DESKTOP) => {
        const browser = await createTestBrowser(options, getChromium?.());
        browsers.push(browser);
        return browser;
      });
      const errors = browsers.flatMap((browser) => browser.unexpectedErrors());
      if (errors.length > 0) throw new Error(`Unexpected console errors:\n${errors.join('\n')}`);
    } catch (error) {
      const pages = browsers.flatMap(({ context }) => context.pages());
      // A failed screenshot must not hide the error of the test.
      await Promise.allSettled(
        pages.map((page, index) => saveScreenshot(page, `failed ${this.test?.title} ${index + 1}`)),
      );
      throw error;
    } finally {
      for (const { context } of browsers) await context.close();
    }
  };
