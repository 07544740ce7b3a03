import { startPlatform, stopPlatform } from './platform.ts';
import { removeScreenshots } from './screenshots.ts';

/** Mocha calls it once, before the first test. */
export const mochaGlobalSetup = async (): Promise<void> => {
  await removeScreenshots();
  await startPlatform();
};

/** Mocha calls it once, after the last test. */
export const mochaGlobalTeardown = stopPlatform;
