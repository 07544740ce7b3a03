import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, type RunningChild, readLogTail, startChild, truncateLog } from './child-process.ts';
import { errorText, StackError } from './stack-error.ts';

/** A process to keep running. */
export type ProcessPlan = {
  name: string;
  command: Command;
  isReady(): Promise<boolean>;
  /** Runs before each start, including restarts. */
  beforeStart?: (() => Promise<void>) | undefined;
  stopSignal?: NodeJS.Signals;
  /** How long the process may take to stop before it is killed. */
  stopSeconds: number;
  /** How long the process may take to become ready. */
  startSeconds?: number;
};

/** `onRestarted` is called when the process is ready again, with a new id. */
type SupervisorEvents = { log(line: string): void; onRestarted(): void };

export type SupervisedProcess = {
  name: string;
  pid(): number | null;
  /**
   * Resolves when the process is ready. @throws StackError with the end of its log if it does not become
   * ready
   */
  start(): Promise<void>;
  /** Sends the stop signal, kills the process after `stopSeconds`, and resolves when it has exited. */
  stop(): Promise<void>;
  /** Kills the process without a restart; `stop` resolves when it has exited. */
  kill(): void;
};

const pollMilliseconds = 50;
const minDelayMilliseconds = 100;
const maxDelayMilliseconds = 5_000;
const stableMilliseconds = 10_000;
const quiet: SupervisorEvents = { log: () => undefined, onRestarted: () => undefined };

type Supervision = {
  plan: ProcessPlan;
  events: SupervisorEvents;
  /** Aborted by `stop`: ends every wait and prevents restarts. */
  stopping: AbortController;
  run?: RunningChild;
  /** Resolves when there are no more restarts. */
  lifecycle: Promise<void>;
};

const waitUntilReady = async (plan: ProcessPlan, run: RunningChild, signal: AbortSignal): Promise<void> => {
  const seconds = plan.startSeconds ?? 30;
  const deadline = Date.now() + seconds * 1000;
  while (!signal.aborted) {
    if (run.hasExited()) throw new StackError(`${plan.name} did not start (${await run.exited})`);
    const isReady = await Promise.race([plan.isReady(), run.exited.then(() => false)]);
    // Another program may have bound the port of an exited process, so a successful check is not enough.
    if (isReady && !run.hasExited()) return;
    if (Date.now() > deadline) throw new StackError(`${plan.name} was not ready within ${seconds} s`);
    await Promise.race([sleep(pollMilliseconds), run.exited]);
  }
  signal.throwIfAborted();
};

const launch = async (supervision: Supervision): Promise<RunningChild> => {
  const { plan, stopping } = supervision;
  await plan.beforeStart?.();
  stopping.signal.throwIfAborted();
  const run = startChild(plan.command);
  supervision.run = run;
  try {
    await waitUntilReady(plan, run, stopping.signal);
    return run;
  } catch (error) {
    if (!stopping.signal.aborted) {
      run.signal('SIGKILL');
      await run.exited;
    }
    throw error;
  }
};

/** Retries until the process is ready again, or the supervision stops. */
const relaunch = async (supervision: Supervision, firstDelay: number): Promise<RunningChild> => {
  const { plan, events, stopping } = supervision;
  let hasLogged = false;
  for (let wait = firstDelay; ; wait = Math.min(wait * 2, maxDelayMilliseconds)) {
    await sleep(wait, undefined, { signal: stopping.signal });
    try {
      const run = await launch(supervision);
      events.log(`${plan.name} is ready again (process ${run.pid}).`);
      events.onRestarted();
      return run;
    } catch (error) {
      stopping.signal.throwIfAborted();
      if (!hasLogged) events.log(`${errorText(error)}; retrying. Its log: ${plan.command.logFile}`);
      hasLogged = true;
    }
  }
};

const keepRunning = async (supervision: Supervision, first: RunningChild): Promise<void> => {
  const { plan, events, stopping } = supervision;
  let run = first;
  let wait = minDelayMilliseconds;
  while (!stopping.signal.aborted) {
    const since = Date.now();
    const reason = await run.exited;
    if (stopping.signal.aborted) return;
    events.log(`${plan.name} exited unexpectedly (${reason}); restarting it.`);
    // Exponential backoff for a process that exits soon after each start.
    const isStable = Date.now() - since >= stableMilliseconds;
    wait = isStable ? minDelayMilliseconds : Math.min(wait * 2, maxDelayMilliseconds);
    run = await relaunch(supervision, wait);
  }
};

const begin = async (supervision: Supervision): Promise<void> => {
  const { plan, stopping } = supervision;
  truncateLog(plan.command.logFile);
  try {
    const run = await launch(supervision);
    supervision.lifecycle = keepRunning(supervision, run).catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error;
    });
  } catch (error) {
    stopping.signal.throwIfAborted();
    const tail = readLogTail(plan.command.logFile);
    throw new StackError(`${errorText(error)}. The end of ${plan.command.logFile}:\n${tail}`, {
      cause: error,
    });
  }
};

const end = async (supervision: Supervision): Promise<void> => {
  const { plan, stopping } = supervision;
  stopping.abort(new StackError(`${plan.name} is being stopped`));
  supervision.run?.signal(plan.stopSignal ?? 'SIGTERM');
  const deadline = setTimeout(() => supervision.run?.signal('SIGKILL'), plan.stopSeconds * 1000);
  await supervision.lifecycle;
  await supervision.run?.exited;
  clearTimeout(deadline);
};

/** Starts a process, and restarts it whenever it exits, until `stop`. */
export const superviseProcess = (plan: ProcessPlan, events: SupervisorEvents = quiet): SupervisedProcess => {
  const supervision: Supervision = {
    plan,
    events,
    stopping: new AbortController(),
    lifecycle: Promise.resolve(),
  };
  let stopped: Promise<void> | undefined;
  return {
    name: plan.name,
    pid: () => (supervision.run?.hasExited() === false ? (supervision.run.pid ?? null) : null),
    start: () => {
      const started = begin(supervision);
      supervision.lifecycle = started.catch(() => undefined);
      return started;
    },
    stop: () => {
      stopped ??= end(supervision);
      return stopped;
    },
    kill: () => {
      supervision.stopping.abort(new StackError(`${plan.name} is being killed`));
      supervision.run?.signal('SIGKILL');
    },
  };
};
