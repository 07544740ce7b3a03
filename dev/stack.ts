import type { StackConfig } from './config.ts';
import { StackError } from './stack-error.ts';
import { removeStackFile } from './stack-file.ts';
import type { ProcessKey, StackRun } from './stack-state.ts';
import { bringUp, type StackReport } from './start-services.ts';

export type Stack = {
  /** Brings everything up; settles when all is ready. @throws StackError; what runs by then is for `stop` */
  start(): Promise<StackReport>;
  /** Stops what runs, in order; at any time, in the middle of a start as well. */
  stop(): Promise<void>;
  /** Makes a stop immediate: every process is killed. */
  kill(): void;
};

// The gateway goes before what it passes requests to, and every service before the engines.
const stopOrder: ProcessKey[][] = [
  ['gateway', 'worker'],
  ['auth', 'admin'],
  ['inbox'],
  ['redis'],
  ['postgres'],
];

/** How long a stop waits for a step of the start that cannot be interrupted, such as a copy. */
const lastStepMilliseconds = 5_000;

const stop = async (run: StackRun): Promise<void> => {
  run.stopping.abort(new StackError('The start was interrupted.'));
  for (const keys of stopOrder) await Promise.all(keys.map((key) => run.processes.get(key)?.stop()));
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise((resolve) => {
    timer = setTimeout(resolve, lastStepMilliseconds);
  });
  await Promise.race([Promise.allSettled(run.steps), patience]);
  clearTimeout(timer);
  await Promise.all(Object.values(run.ports ?? {}).map((port) => port.release()));
  if (run.dataDir !== undefined) removeStackFile(run.dataDir);
  run.lock?.release();
};

/** The development stack. `say` gets a line for each event that a person should know of. */
export const createStack = (config: StackConfig, say: (line: string) => void): Stack => {
  const run: StackRun = { config, say, stopping: new AbortController(), processes: new Map(), steps: [] };
  let started: Promise<StackReport> | undefined;
  let stopped: Promise<void> | undefined;
  return {
    start: () => {
      started ??= bringUp(run);
      run.steps.push(started);
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
