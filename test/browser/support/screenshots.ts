import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const DIRECTORY = join(import.meta.dirname, '../screenshots');

/** For a person to look at, in browser/screenshots/. */
export const saveScreenshot = async (page: Page, name: string): Promise<void> => {
  const file = `${name.replace(/[^\w]+/g, '-').toLowerCase()}.png`;
  await page.screenshot({ path: join(DIRECTORY, file) });
};

/** Those of an earlier run. */
export const removeScreenshots = (): Promise<void> => rm(DIRECTORY, { recursive: true, force: true });
