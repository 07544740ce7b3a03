import { setTimeout as delay } from 'node:timers/promises';
import { freezePostgres, freezeRedis } from '@platform/shared/testing/freeze';
import { createHttpClient } from '@platform/shared/testing/http-client';
import { poll } from '@platform/shared/testing/poll';
import type { RunningStack, StackFile } from '@platform/shared/testing/stack';
import type { RequestEntry } from '../load/request-log.ts';

export type Target = Exclude<keyof StackFile['pids'], 'stack'>;

/** A crash or a freeze of one process of the stack. */
export type Fault = {
  name: string;
  target: Target;
  /** Whether the process ends, and is restarted. */
  endsTarget: boolean;
  /** Resolves when the recovery can begin, with a function that returns whether the process runs again. */
  inject: (stack: RunningStack) => Promise<() => Promise<boolean>>;
};

/** Longer than every timeout of the platform but those of a whole mail. */
const FROZEN_SECONDS = 25;
const RECOVERY_TIMEOUT_SECONDS = 45;

export const kill = (target: Target): Fault => ({
  name: `kill -9 ${target}`,
  target,
  endsTarget: true,
  inject: async (stack) => {
    const pid = (await stack.read()).pids[target];
    process.kill(pid, 'SIGKILL');
    return async () => {
      // stack.json is rewritten once the restarted process is ready.
      const current = (await stack.read()).pids[target];
      return current !== null && current !== pid;
    };
  },
});

export const freeze = (target: 'postgres' | 'redis'): Fault => ({
  name: `frozen ${target}`,
  target,
  endsTarget: false,
  inject: async (stack) => {
    const { pids, databaseUrl } = await stack.read();
    const pid = pids[target];
    const thaw = target === 'redis' ? freezeRedis(pid) : await freezePostgres(databaseUrl, pid);
    await delay(FROZEN_SECONDS * 1_000);
    await thaw();
    return async () => true;
  },
});

const areReady = async ({ opsUrls }: StackFile): Promise<boolean> => {
  const clients = Object.values(opsUrls).map((url) => createHttpClient(url, { timeoutSeconds: 2 }));
  const responses = await Promise.all(clients.map(({ send }) => send({ path: '/readyz' })));
  return responses.every(({ status }) => status === 200);
};

/** When each operation first succeeded that was started after `since`; undefined while one has not. */
const findFirstSuccesses = (
  entries: readonly RequestEntry[],
  operations: readonly string[],
  since: number,
): number[] | undefined => {
  const successes = entries.filter(({ isSuccess, startedAt }) => isSuccess && startedAt >= since);
  const times = operations.map((name) => successes.find(({ operation }) => operation === name)?.endedAt);
  return times.includes(undefined) ? undefined : (times as number[]);
};

/**
 * Injects the fault; resolves when its process is back, every process is ready, and every operation has succeeded again.
 * Times count from the kill, or from the end of a freeze. `recoverySeconds` is undefined after the timeout.
 */
export const injectAndWaitForRecovery = async (
  stack: RunningStack,
  fault: Fault,
  { entries, operations }: { entries: readonly RequestEntry[]; operations: readonly string[] },
): Promise<{ since: number; recoverySeconds: number | undefined }> => {
  const isBack = await fault.inject(stack);
  const since = Date.now();
  const recoverySeconds = await poll(
    async () => {
      if (!(await isBack()) || !(await areReady(stack.stack))) return undefined;
      const readyAt = Date.now();
      const times = findFirstSuccesses(entries, operations, since);
      return times && (Math.max(readyAt, ...times) - since) / 1_000;
    },
    { timeoutSeconds: RECOVERY_TIMEOUT_SECONDS, everyMilliseconds: 50 },
  );
  return { since, recoverySeconds };
};
