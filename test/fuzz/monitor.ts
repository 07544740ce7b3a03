import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunningStack } from '@platform/shared/testing/stack';

const SNAPSHOT_INTERVAL_REQUESTS = 2_000;
const MAX_GROWTH_MEGABYTES = 60;
const SETTLE_MILLISECONDS = 3_000;

/** Resident memory in megabytes; Linux only. */
const readMemory = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

/** The lines that all processes of the stack have logged. */
export const readLogs = (dataDir: string): string[] => {
  const directory = join(dataDir, 'logs');
  return readdirSync(directory).flatMap((name) => readFileSync(join(directory, name), 'utf8').split('\n'));
};

/** Watches the processes of the stack while requests are sent. */
export const startMonitor = ({ stack, dataDir, read }: RunningStack) => {
  // The development inbox keeps the mails of the run in memory, so it grows by design.
  const { stack: _stack, postgres: _postgres, inbox: _inbox, ...watched } = stack.pids;
  const snapshots: number[][] = [];
  const takeSnapshot = () => snapshots.push(Object.values(watched).map(readMemory));
  takeSnapshot();

  const findGrowth = (): string[] =>
    Object.keys(watched).flatMap((name, index) => {
      const history = snapshots.map((memory) => memory[index] ?? Number.NaN);
      // By the first interval, all code is compiled and all validators exist.
      const growth = (history.at(-1) ?? 0) - (history[1] ?? 0);
      const megabytes = history.map((value) => value.toFixed(0)).join(', ');
      return growth > MAX_GROWTH_MEGABYTES ? [`${name} has grown: ${megabytes} MB`] : [];
    });
  const findEnded = async (): Promise<string[]> => {
    const { pids } = await read();
    const ended = Object.entries(stack.pids).filter(([name, pid]) => pids[name as keyof typeof pids] !== pid);
    return ended.map(([name]) => `${name} has ended`);
  };
  const findErrors = (): string[] =>
    readLogs(dataDir).filter((line) => /"level":"(?:error|fatal)"/.test(line));

  return {
    onRequest: (requests: number): void => {
      if (requests % SNAPSHOT_INTERVAL_REQUESTS === 0) takeSnapshot();
    },
    /** Reports ended processes, growth of the memory, and errors in the logs. */
    findProblems: async (): Promise<string[]> => {
      await delay(SETTLE_MILLISECONDS);
      takeSnapshot();
      return [...(await findEnded()), ...findGrowth(), ...findErrors()];
    },
  };
};

export type Monitor = ReturnType<typeof startMonitor>;
