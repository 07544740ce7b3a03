import type { ServiceName } from '@platform/shared/testing/process';
import pg from 'pg';
import type { MonitoredPlatform } from './monitored-platform.ts';

export type Repair = () => Promise<unknown>;

/** What it causes; at most one page. */
export type Fault = {
  cause: string;
  alerts: readonly string[];
  /** From the fault to the last of its alerts, about. */
  minutes: number;
  /** How long it lasts at least; otherwise until some seconds after the last alert. */
  seconds?: number;
  /** After the repair, wait until no alert of a consequence fires any more. */
  isWatchedToTheEnd?: boolean;
  hasSmallDisk?: boolean;
  /** Those of one name share a platform. They give tickets only, and do not concern each other. */
  sharedPlatform?: 'accounts' | 'processes';
  inject: (platform: MonitoredPlatform) => Promise<Repair>;
};

/** Stops or kills all instances. */
export const signal =
  (name: ServiceName, signalName: 'SIGSTOP' | 'SIGKILL'): Fault['inject'] =>
  async ({ find }) => {
    const instances = find(name);
    for (const instance of instances) instance.signal(signalName);
    if (signalName === 'SIGSTOP') return async () => instances.map((instance) => instance.signal('SIGCONT'));
    await Promise.all(instances.map((instance) => instance.waitForExit()));
    return () => Promise.all(instances.map((instance) => instance.start()));
  };

type Restart = {
  settings: Record<string, string>;
  /** Otherwise all instances. */
  count?: number;
  /** Parts of /readyz that fail with these settings. */
  lacks?: readonly string[];
};

/** Restarts instances of a service with other settings. */
export const restart = async (
  { find }: MonitoredPlatform,
  name: ServiceName,
  { settings, count, lacks }: Restart,
): Promise<Repair> => {
  const instances = find(name).slice(0, count);
  const all = (work: (instance: (typeof instances)[number]) => Promise<unknown>) =>
    Promise.all(instances.map(work));
  await all(async (instance) => {
    await instance.stop();
    await instance.start(settings, lacks);
  });
  return () =>
    all(async (instance) => {
      await instance.stop();
      await instance.start();
    });
};

/** Repeats the work, so many milliseconds apart, until the repair. */
export const repeat = (work: () => Promise<unknown>, milliseconds: number): Repair => {
  let running: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    // Its failures are consequences of the fault.
    running = running.then(work).catch(() => undefined);
  }, milliseconds);
  return async () => {
    clearInterval(timer);
    await running;
  };
};

/** No process can use the table until the lock is released. */
export const lockTable = async (databaseUrl: string, table: string): Promise<Repair> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(`begin; lock table ${table} in access exclusive mode`);
  return () => client.end();
};
