import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { STACK_SECONDS } from '../src/async/patience.ts';
import { waitFor } from './poll.ts';
import { type RunningStack, readStackFile, startStack } from './stack.ts';
import { prepareBeforeTests } from './test-run.ts';

/** Uses a stack that is already running, and does not stop it. */
const attachToStack = async (dataDir: string): Promise<RunningStack> => ({
  stack: await readStackFile(dataDir),
  dataDir,
  read: () => readStackFile(dataDir),
  stop: async () => undefined,
});

/** The first worker that needs the stack starts it; the others wait until its file names the data directory. */
const startOrAttach = async (): Promise<RunningStack> => {
  const file = join(tmpdir(), 'shared-stack');
  try {
    await writeFile(file, '', { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const readDataDir = async () => (await readFile(file, 'utf8')) || undefined;
    return await attachToStack(await waitFor('the shared stack is ready', readDataDir, STACK_SECONDS));
  }
  const started = await startStack();
  await writeFile(file, started.dataDir);
  return started;
};

let running: Promise<RunningStack> | undefined;

/**
 * The stack of this test run, which all parallel workers share. With TEST_STACK_DIR, the data directory of a
 * running stack, tests use that stack, which saves time during development.
 */
export const sharedStack = (): Promise<RunningStack> => {
  const existing = process.env['TEST_STACK_DIR'];
  running ??= existing ? attachToStack(existing) : startOrAttach();
  return running;
};

prepareBeforeTests({ start: sharedStack });
