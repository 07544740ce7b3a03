import { stopSharedStack } from './stack.ts';
import { dropTemplate } from './test-database.ts';

/** Mocha calls it once, after the last test. */
export const mochaGlobalTeardown = async (): Promise<void> => {
  await dropTemplate();
  await stopSharedStack();
};
