import type { StackConfig } from './config.ts';
import { removeStackFile } from './data-dir.ts';
import { createProgress } from './progress.ts';
import { StackError } from './stack-error.ts';
import type { ProcessKey, StackRun } from './stack-state.ts';
import { type StackReport, startEverything } from './start-services.ts';

type Stack = {
  /**
   * Starts everything, and resolves when everything is ready. @throws StackError; `stop` then stops what is
   * running
   */
  start(): Promise<StackReport>;
  /** Stops everything in order. It may be called during a start. */
  stop(): Promise<void>;
  /** Kills every process. */
  kill(): void;
};

// The gateway stops before its upstreams, and the services stop before the engines.
const stopOrder: ProcessKey[][] = [
  ['testBench'],
  ['gateway', 'worker'],
  ['auth', 'admin'],
  ['inbox', 'oidc'],
  ['redis'],
  ['postgres'],
];

/** How long a stop waits for a step of the start that cannot be interrupted, such as copying files. */
const lastStepMilliseconds = 5_000;

const stop = async (run: StackRun): Promise<void> => {
  run.stopping.abort(new StackError('The start was interrupted.'));
  for (const keys of stopOrder) await Promise.all(keys.map((key) => run.processes.get(key)?.stop()));
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, lastStepMilliseconds);
  });
  await Promise.race([Promise.allSettled(run.pending), timeout]);
  clearTimeout(timer);
  await Promise.all(Object.values(run.ports ?? {}).map((port) => port.release()));
  if (run.dataDir !== undefined) removeStackFile(run.dataDir);
  run.lock?.release();
};

/** The development stack. `log` receives a line for each step, and for each event that the user should know. */
export const createStack = (config: StackConfig, log: (line: string) => void): Stack => {
  const run: StackRun = {
    config,
    progress: createProgress(log),
    stopping: new AbortController(),
    processes: new Map(),
    pending: [],
  };
  let started: Promise<StackReport> | undefined;
  let stopped: Promise<void> | undefined;
  return {
    start: () => {
      started ??= startEverything(run);
      run.pending.push(started);
      return started;
    },
    stop: () => {
      stopped ??= stop(run);
      return stopped;
    },
    kill: () => {
      for (const supervised of run.processes.values()) supervised.kill();
    },
  };
};
