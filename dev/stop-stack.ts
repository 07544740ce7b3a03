import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { STACK_SECONDS } from '@platform/shared/async/patience';
import { findPostmaster, stopStalePostgres } from './engines/stale-postgres.ts';
import { createProgress } from './progress.ts';
import { errorCode, StackError } from './stack-error.ts';
import { isDataDir, isStackProcess, tryLockDataDir } from './stack-lock.ts';

const pollMilliseconds = 50;

const sendStop = (pid: number): void => {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return; // it has exited
    throw new StackError(
      `The stack (process ${pid}) cannot be stopped, because it belongs to another user (${errorCode(error)}).`,
    );
  }
};

const waitForExit = async (pid: number): Promise<void> => {
  const deadline = Date.now() + STACK_SECONDS * 1_000;
  while (isStackProcess(pid)) {
    if (Date.now() > deadline)
      throw new StackError(
        `The stack (process ${pid}) has not stopped within ${STACK_SECONDS} s. To kill it: kill -9 ${pid}`,
      );
    await sleep(pollMilliseconds);
  }
};

/**
 * The services of a killed stack exit by themselves. PostgreSQL may still be running if they were killed,
 * too.
 */
const stopLeftPostgres = async (dataDir: string): Promise<boolean> => {
  const clusterPath = join(dataDir, 'postgres');
  const isRunning = existsSync(clusterPath) && findPostmaster(realpathSync(clusterPath)) !== undefined;
  if (isRunning) await stopStalePostgres(clusterPath);
  return isRunning;
};

/**
 * Stops the stack of a data directory, and waits until it has stopped.
 * @param log receives a line now and then during a long wait
 * @returns what was done, in a sentence
 * @throws StackError if it does not stop
 */
export const stopStack = async (dataDir: string, log: (line: string) => void): Promise<string> => {
  const noStack = `No stack is running on ${dataDir}.`;
  if (!isDataDir(dataDir)) return noStack;
  const lock = await tryLockDataDir(dataDir);
  if (lock.stackPid !== undefined) {
    const { stackPid } = lock;
    sendStop(stackPid);
    const part = { name: `the stop of process ${stackPid}` };
    await createProgress(log).run(part, () => waitForExit(stackPid));
    return `Stopped the stack on ${dataDir} (process ${stackPid}).`;
  }
  try {
    return (await stopLeftPostgres(dataDir))
      ? `No stack is running on ${dataDir}; stopped the PostgreSQL that a killed one had left.`
      : noStack;
  } finally {
    lock.release();
  }
};
