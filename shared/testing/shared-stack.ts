import { type RunningStack, readStackFile, startStack } from './stack.ts';
import { prepareBeforeTests } from './test-run.ts';

/** Uses a stack that is already running, and does not stop it. */
const attachToStack = async (dataDir: string): Promise<RunningStack> => ({
  stack: await readStackFile(dataDir),
  dataDir,
  read: () => readStackFile(dataDir),
  stop: async () => undefined,
});

let running: Promise<RunningStack> | undefined;

/**
 * The stack of this process, so that each parallel worker has separate engines. With TEST_STACK_DIR, the data
 * directory of a running stack, tests use that stack, which saves time during development.
 */
export const sharedStack = (): Promise<RunningStack> => {
  const existing = process.env['TEST_STACK_DIR'];
  running ??= existing ? attachToStack(existing) : startStack();
  return running;
};

prepareBeforeTests({ start: sharedStack });
