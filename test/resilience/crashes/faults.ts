import { setTimeout as delay } from 'node:timers/promises';
import { freezePostgres, freezeProcess } from '@platform/shared/testing/freeze';
import type { RunningStack, StackFile } from '@platform/shared/testing/stack';

export type Target = Exclude<keyof StackFile['pids'], 'stack'>;

/** A crash or a freeze of one process of the stack. */
export type Fault = {
  name: string;
  target: Target;
  /** Whether the process ends, and is restarted. */
  endsTarget: boolean;
  /** Resolves when the recovery can begin. The returned function says whether the process runs again. */
  inject: (stack: RunningStack) => Promise<() => Promise<boolean>>;
};

/** Longer than every timeout of the platform except the one of a whole mail. */
const FROZEN_SECONDS = 25;

export const kill = (target: Target): Fault => ({
  name: `kill -9 ${target}`,
  target,
  endsTarget: true,
  inject: async (stack) => {
    const pid = (await stack.read()).pids[target];
    process.kill(pid, 'SIGKILL');
    return async () => {
      // The stack rewrites stack.json once the restarted process is ready.
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
    const thaw = target === 'redis' ? freezeProcess(pid) : await freezePostgres(databaseUrl, pid);
    await delay(FROZEN_SECONDS * 1_000);
    await thaw();
    return async () => true;
  },
});
