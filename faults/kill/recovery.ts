import { setTimeout as delay } from 'node:timers/promises';
import type { RunningStack, StackFile } from '@platform/shared/testing/stack';
import type { Sample } from '../load/journal.ts';

export type Victim = Exclude<keyof StackFile['pids'], 'stack'>;

const PATIENCE_MILLISECONDS = 45_000;
const POLL_MILLISECONDS = 50;

const isReady = async (opsUrl: string): Promise<boolean> => {
  try {
    return (await fetch(`${opsUrl}/readyz`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch (error) {
    // Not there, or too slow: not ready. Anything else than fetch's own errors is a mistake here.
    if (error instanceof TypeError || error instanceof DOMException) return false;
    throw error;
  }
};

const areReady = async ({ opsUrls }: StackFile): Promise<boolean> => {
  const answers = await Promise.all(Object.values(opsUrls).map(isReady));
  return !answers.includes(false);
};

/** stack.json is rewritten once the process that was started in its place is ready. */
const isReplaced = async (stack: RunningStack, victim: Victim, pid: number): Promise<boolean> => {
  const current = (await stack.read()).pids[victim];
  return current !== null && current !== pid;
};

/** When each operation first succeeded that was begun after `since`; undefined while one has not. */
const firstSuccesses = (
  samples: readonly Sample[],
  operations: readonly string[],
  since: number,
): number[] | undefined => {
  const successes = samples.filter(({ isSuccess, startedAt }) => isSuccess && startedAt >= since);
  const times = operations.map((name) => successes.find(({ operation }) => operation === name)?.endedAt);
  return times.includes(undefined) ? undefined : (times as number[]);
};

/**
 * Kills the victim; resolves when another process stands in its place, every process is ready, and every operation has
 * succeeded again. `healthySeconds` is undefined when that took too long.
 */
export const killAndAwaitRecovery = async (
  stack: RunningStack,
  victim: Victim,
  { samples, operations }: { samples: readonly Sample[]; operations: readonly string[] },
): Promise<{ killedAt: number; healthySeconds: number | undefined }> => {
  const pid = (await stack.read()).pids[victim];
  const killedAt = Date.now();
  process.kill(pid, 'SIGKILL');
  while (Date.now() - killedAt < PATIENCE_MILLISECONDS) {
    const isBack = (await isReplaced(stack, victim, pid)) && (await areReady(stack.stack));
    const readyAt = Date.now();
    const times = isBack ? firstSuccesses(samples, operations, killedAt) : undefined;
    if (times) return { killedAt, healthySeconds: (Math.max(readyAt, ...times) - killedAt) / 1_000 };
    await delay(POLL_MILLISECONDS);
  }
  return { killedAt, healthySeconds: undefined };
};
