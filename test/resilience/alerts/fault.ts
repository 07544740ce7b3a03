import type { ServiceName } from '@platform/shared/testing/process';
import pg from 'pg';
import type { MonitoredPlatform } from './monitored-platform.ts';

export type Repair = () => Promise<unknown>;

/** A fault and its alerts, of which at most one is a page. */
export type Fault = {
  cause: string;
  alerts: readonly string[];
  /** The approximate time from the fault to the last of its alerts. */
  minutes: number;
  /** The minimum duration. By default the fault ends some seconds after the last alert. */
  seconds?: number;
  /** After the repair, wait until no alert of a consequence fires any more. */
  isWatchedToTheEnd?: boolean;
  hasSmallDisk?: boolean;
  /** Faults with the same value share a platform. They cause only tickets, and do not affect each other. */
  sharedPlatform?: 'accounts' | 'processes' | 'services';
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
  /** The number of instances, by default all. */
  count?: number;
  /** The parts of /readyz that fail with these settings. */
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
    await instance.start({ settings, ...(lacks && { optional: lacks }) });
  });
  return () =>
    all(async (instance) => {
      await instance.stop();
      await instance.start();
    });
};

/** Repeats the work with this interval until the repair. */
export const repeat = (work: () => Promise<unknown>, milliseconds: number): Repair => {
  let running: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    // Failures of the work are consequences of the fault.
    running = running.then(work).catch(() => undefined);
  }, milliseconds);
  return async () => {
    clearInterval(timer);
    await running;
  };
};

/** Locks the table, so that no process can use it until the repair. */
export const lockTable = async (databaseUrl: string, table: string): Promise<Repair> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(`begin; lock table ${table} in access exclusive mode`);
  return () => client.end();
};
