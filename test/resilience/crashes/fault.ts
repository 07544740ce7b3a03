import { setTimeout as delay } from 'node:timers/promises';
import { freezePostgres, freezeRedis } from '@platform/shared/testing/freeze';
import type { RunningStack, StackFile } from '@platform/shared/testing/stack';

export type Victim = Exclude<keyof StackFile['pids'], 'stack'>;

/** Something that befalls one process of the stack. */
export type Fault = {
  name: string;
  victim: Victim;
  /** Whether the process ends, and another one is started in its place. */
  endsVictim: boolean;
  /** Resolves when the recovery may begin, with a function that tells whether the process is back. */
  inject: (stack: RunningStack) => Promise<() => Promise<boolean>>;
};

/** Longer than every timeout in the platform but those of a whole mail. */
const FROZEN_SECONDS = 25;

export const kill = (victim: Victim): Fault => ({
  name: `kill -9 ${victim}`,
  victim,
  endsVictim: true,
  inject: async (stack) => {
    const pid = (await stack.read()).pids[victim];
    process.kill(pid, 'SIGKILL');
    return async () => {
      // stack.json is rewritten once the process that was started in its place is ready.
      const current = (await stack.read()).pids[victim];
      return current !== null && current !== pid;
    };
  },
});

export const freeze = (victim: 'postgres' | 'redis'): Fault => ({
  name: `frozen ${victim}`,
  victim,
  endsVictim: false,
  inject: async (stack) => {
    const { pids, databaseUrl } = await stack.read();
    const pid = pids[victim];
    const thaw = victim === 'redis' ? freezeRedis(pid) : await freezePostgres(databaseUrl, pid);
    await delay(FROZEN_SECONDS * 1_000);
    await thaw();
    return async () => true;
  },
});
