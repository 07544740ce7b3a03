import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { STACK_SECONDS } from '../src/async/patience.ts';
import { waitFor } from './poll.ts';
import { type RunningStack, readStackFile } from './stack.ts';
import { prepareBeforeTests } from './test-run.ts';

/** Uses a stack that is already running, and does not stop it. */
const attachToStack = async (dataDir: string): Promise<RunningStack> => ({
  stack: await readStackFile(dataDir),
  dataDir,
  read: () => readStackFile(dataDir),
  stop: async () => undefined,
});

/**
 * Starts a stack once for all workers of a test run: the first one that needs it starts it, and the others wait
 * until its file names the data directory.
 */
const startOrAttach = async (name: string, start: () => Promise<RunningStack>): Promise<RunningStack> => {
  const file = join(tmpdir(), name);
  try {
    await writeFile(file, '', { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const readDataDir = async () => (await readFile(file, 'utf8')) || undefined;
    return await attachToStack(await waitFor('the shared stack is ready', readDataDir, STACK_SECONDS));
  }
  const started = await start();
  await writeFile(file, started.dataDir);
  return started;
};

/**
 * A function that returns a stack, which all parallel workers share. It is started before the tests.
 * @param existing the data directory of a running stack to use instead
 */
export const shareStack = (
  name: string,
  start: () => Promise<RunningStack>,
  existing?: string,
): (() => Promise<RunningStack>) => {
  let running: Promise<RunningStack> | undefined;
  const get = (): Promise<RunningStack> => {
    running ??= existing ? attachToStack(existing) : startOrAttach(name, start);
    return running;
  };
  prepareBeforeTests({ start: get });
  return get;
};
