import { setTimeout as delay } from 'node:timers/promises';
import type { RunningStack, StackFile } from '@platform/shared/testing/stack';
import type { Sample } from '../load/request-log.ts';
import type { Fault } from './fault.ts';

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
 * Injects the fault; resolves when its process is back, every process is ready, and every operation has succeeded again.
 * Times count from the kill, or from the end of a freeze. `healthySeconds` is undefined when that took too long.
 */
export const injectAndAwaitRecovery = async (
  stack: RunningStack,
  fault: Fault,
  { samples, operations }: { samples: readonly Sample[]; operations: readonly string[] },
): Promise<{ since: number; healthySeconds: number | undefined }> => {
  const isOver = await fault.inject(stack);
  const since = Date.now();
  while (Date.now() - since < PATIENCE_MILLISECONDS) {
    const isBack = (await isOver()) && (await areReady(stack.stack));
    const readyAt = Date.now();
    const times = isBack ? firstSuccesses(samples, operations, since) : undefined;
    if (times) return { since, healthySeconds: (Math.max(readyAt, ...times) - since) / 1_000 };
    await delay(POLL_MILLISECONDS);
  }
  return { since, healthySeconds: undefined };
};
