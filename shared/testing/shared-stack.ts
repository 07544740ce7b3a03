import { shareStack } from './share-stack.ts';
import { startStack } from './stack.ts';

/**
 * The stack of this test run. With TEST_STACK_DIR, the data directory of a running stack, tests use that stack,
 * which saves time during development.
 */
export const sharedStack = shareStack('shared-stack', () => startStack(), process.env['TEST_STACK_DIR']);
