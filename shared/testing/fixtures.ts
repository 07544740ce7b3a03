import { stopSharedStack } from './stack.ts';

/** Mocha calls it once, after the last test. */
export const mochaGlobalTeardown = stopSharedStack;
