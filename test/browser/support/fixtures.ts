import { removeScreenshots } from './browser-test.ts';
import { startPlatform, stopPlatform } from './platform.ts';

/** Called by Mocha once, before the first test. */
export const mochaGlobalSetup = async (): Promise<void> => {
  await removeScreenshots();
  await startPlatform();
};

/** Called by Mocha once, after the last test. */
export const mochaGlobalTeardown = stopPlatform;
