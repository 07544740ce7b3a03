import type { StackConfig } from './config.ts';
import type { ReservedPort } from './ports.ts';
import type { ServiceKey } from './services.ts';
import { errorText } from './stack-error.ts';
import { type StackDescription, writeStackFile } from './stack-file.ts';
import type { StackLock } from './stack-lock.ts';
import type { StackPorts } from './stack-ports.ts';
import { type ProcessPlan, type SupervisedProcess, superviseProcess } from './supervisor.ts';

export type ProcessKey = ServiceKey | 'postgres' | 'redis' | 'inbox';

/** One run of the stack: what it holds, for the start to fill and the stop to give back. */
export type StackRun = {
  config: StackConfig;
  say(line: string): void;
  stopping: AbortController;
  processes: Map<ProcessKey, SupervisedProcess>;
  /** What the start is doing, for a stop to wait for: when one fails, the others are still under way. */
  steps: Promise<unknown>[];
  ports?: StackPorts;
  lock?: StackLock;
  dataDir?: string;
  description?: StackDescription;
};

/** Writes stack.json, once everything is ready; a start or stop in progress has none. */
export const publish = (run: StackRun): void => {
  const { description, dataDir, stopping } = run;
  if (!description || dataDir === undefined || stopping.signal.aborted) return;
  try {
    writeStackFile(dataDir, description);
  } catch (error) {
    run.say(`stack.json cannot be written: ${errorText(error)}`);
  }
};

/** A restarted process is ready again, under another id. */
const renew = (run: StackRun, key: ProcessKey): void => {
  if (run.description) run.description.pids[key] = run.processes.get(key)?.pid() ?? null;
  publish(run);
};

/** Waits for steps that go on at the same time; a stop waits for those, too. */
export const together = <Steps extends Promise<unknown>[]>(run: StackRun, ...steps: Steps) => {
  run.steps.push(...steps);
  return Promise.all(steps);
};

/** Starts a process on its ports, and keeps it running. */
export const launch = async (
  run: StackRun,
  key: ProcessKey,
  plan: ProcessPlan,
  ports: ReservedPort[],
): Promise<void> => {
  run.stopping.signal.throwIfAborted();
  const supervised = superviseProcess(plan, { say: run.say, onRestarted: () => renew(run, key) });
  run.processes.set(key, supervised);
  await Promise.all(ports.map((port) => port.release()));
  await supervised.start();
};
