import { setTimeout as sleep } from 'node:timers/promises';
import { PROCESS_SECONDS } from '@platform/shared/async/patience';
import { type Command, type RunningChild, readLogTail, startChild, truncateLog } from './child-process.ts';
import { createProgress, type Part, type Progress } from './progress.ts';
import { StackError, toErrorMessage } from './stack-error.ts';

/** A process to keep running. */
export type ProcessPlan = {
  name: string;
  command: Command;
  isReady(): Promise<boolean>;
  /** Runs before each start, including restarts. */
  beforeStart?: (() => Promise<void>) | undefined;
  /** The names of processes that must be ready before this one can be. Their time does not count. */
  waitsFor?: readonly string[];
  stopSignal?: NodeJS.Signals;
  /** How long the process may take to stop before it is killed. */
  stopSeconds?: number;
  /** How long the process may take to become ready. */
  startSeconds?: number;
};

/**
 * `log` receives a line for each unexpected exit. `onRestarted` is called when the process is ready again, with
 * a new id. `progress` shows how long starts and stops take.
 */
type SupervisorEvents = { log(line: string): void; onRestarted(): void; progress?: Progress };

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

const minPollMilliseconds = 50;
const maxPollMilliseconds = 500;
const minDelayMilliseconds = 100;
const maxDelayMilliseconds = 5_000;
const stableMilliseconds = 10_000;
const quiet: SupervisorEvents = { log: () => undefined, onRestarted: () => undefined };

type Supervision = {
  plan: ProcessPlan;
  events: SupervisorEvents;
  progress: Progress;
  /** Aborted by `stop`: ends every wait and prevents restarts. */
  stopping: AbortController;
  run?: RunningChild;
  /** Resolves when there are no more restarts. */
  lifecycle: Promise<void>;
};

/** A slow start is polled less often, because polling takes processor time from it. */
const toPollMilliseconds = (elapsedMilliseconds: number): number =>
  Math.min(Math.max(elapsedMilliseconds / 20, minPollMilliseconds), maxPollMilliseconds);

const waitUntilReady = async (
  { plan, progress, stopping }: Supervision,
  run: RunningChild,
): Promise<void> => {
  const { signal } = stopping;
  const seconds = plan.startSeconds ?? PROCESS_SECONDS;
  const began = Date.now();
  let unblockedSince = began;
  while (!signal.aborted) {
    if (run.hasExited()) throw new StackError(`${plan.name} did not start (${await run.exited})`);
    const isReady = await Promise.race([plan.isReady(), run.exited.then(() => false)]);
    // Another program may have bound the port of an exited process, so a successful check is not enough.
    if (isReady && !run.hasExited()) return;
    const now = Date.now();
    if (progress.isBlocked(plan)) unblockedSince = now;
    if (now > unblockedSince + seconds * 1000)
      throw new StackError(`${plan.name} was not ready within ${seconds} s`);
    await Promise.race([sleep(toPollMilliseconds(now - began)), run.exited]);
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
    await waitUntilReady(supervision, run);
    return run;
  } catch (error) {
    if (!stopping.signal.aborted) {
      run.signal('SIGKILL');
      await run.exited;
    }
    throw error;
  }
};

const toPart = ({ name, waitsFor, command }: ProcessPlan, done?: string): Part => ({
  name,
  waitsFor,
  logFile: command.logFile,
  done,
});

/** Retries until the process is ready again, or the supervision stops. */
const relaunch = async (supervision: Supervision, firstDelay: number): Promise<RunningChild> => {
  const { plan, events, progress, stopping } = supervision;
  let hasLogged = false;
  for (let wait = firstDelay; ; wait = Math.min(wait * 2, maxDelayMilliseconds)) {
    await sleep(wait, undefined, { signal: stopping.signal });
    try {
      const run = await progress.run(toPart(plan), () => launch(supervision));
      events.log(`${plan.name} is ready again (process ${run.pid}).`);
      events.onRestarted();
      return run;
    } catch (error) {
      stopping.signal.throwIfAborted();
      if (!hasLogged) events.log(`${toErrorMessage(error)}; retrying. Its log: ${plan.command.logFile}`);
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
  const { plan, progress, stopping } = supervision;
  truncateLog(plan.command.logFile);
  try {
    const part = toPart(plan, `${plan.name} is ready`);
    const run = await progress.run(part, () => launch(supervision));
    supervision.lifecycle = keepRunning(supervision, run).catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error;
    });
  } catch (error) {
    stopping.signal.throwIfAborted();
    const tail = readLogTail(plan.command.logFile);
    throw new StackError(`${toErrorMessage(error)}. The end of ${plan.command.logFile}:\n${tail}`, {
      cause: error,
    });
  }
};

const end = async (supervision: Supervision): Promise<void> => {
  const { plan, progress, stopping } = supervision;
  stopping.abort(new StackError(`${plan.name} is being stopped`));
  supervision.run?.signal(plan.stopSignal ?? 'SIGTERM');
  const seconds = plan.stopSeconds ?? PROCESS_SECONDS;
  const deadline = setTimeout(() => supervision.run?.signal('SIGKILL'), seconds * 1000);
  await progress.run(toPart({ ...plan, waitsFor: [] }), async () => {
    await supervision.lifecycle;
    await supervision.run?.exited;
  });
  clearTimeout(deadline);
};

/** Starts a process, and restarts it whenever it exits, until `stop`. */
export const superviseProcess = (plan: ProcessPlan, events: SupervisorEvents = quiet): SupervisedProcess => {
  const supervision: Supervision = {
    plan,
    events,
    progress: events.progress ?? createProgress(() => undefined),
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
