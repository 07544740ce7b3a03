import { setTimeout as sleep } from 'node:timers/promises';
import { type ChildRun, type Command, runChild } from './child-process.ts';
import { readLogTail, truncateLog } from './log-file.ts';
import { errorText, StackError } from './stack-error.ts';

/** A process to be kept running. */
export type ProcessPlan = {
  name: string;
  command: Command;
  isReady(): Promise<boolean>;
  /** Runs before each start, the restarts included. */
  beforeStart?: (() => Promise<void>) | undefined;
  stopSignal?: NodeJS.Signals;
  /** How long it may take to stop before it is killed. */
  stopSeconds: number;
  /** How long it may take to become ready. */
  startSeconds?: number;
};

/** What the supervisor tells of; `onRestarted` comes when the process is ready again, with a new id. */
export type SupervisorEvents = { say(line: string): void; onRestarted(): void };

export type SupervisedProcess = {
  name: string;
  pid(): number | null;
  /** Settles when the process is ready. @throws StackError with the end of its log when it does not become so */
  start(): Promise<void>;
  /** Asks it to stop, kills it after its time, and settles when it is gone. */
  stop(): Promise<void>;
  /** Kills it now, and for good; `stop` still tells when it is gone. */
  kill(): void;
};

const pollMilliseconds = 50;
const firstPauseMilliseconds = 100;
const longestPauseMilliseconds = 5_000;
const steadyMilliseconds = 10_000;
const quiet: SupervisorEvents = { say: () => undefined, onRestarted: () => undefined };

type Supervision = {
  plan: ProcessPlan;
  events: SupervisorEvents;
  /** Aborted by `stop`: ends every wait, and nothing is started after it. */
  stopping: AbortController;
  run?: ChildRun;
  /** Settles when nothing will be started any more. */
  life: Promise<void>;
};

const waitUntilReady = async (plan: ProcessPlan, run: ChildRun, signal: AbortSignal): Promise<void> => {
  const seconds = plan.startSeconds ?? 30;
  const deadline = Date.now() + seconds * 1000;
  while (!signal.aborted) {
    if (run.hasEnded()) throw new StackError(`${plan.name} did not start (${await run.ended})`);
    const isReady = await Promise.race([plan.isReady(), run.ended.then(() => false)]);
    // A process that ended may have left its port to a stranger, so its own life counts as well.
    if (isReady && !run.hasEnded()) return;
    if (Date.now() > deadline) throw new StackError(`${plan.name} was not ready within ${seconds} s`);
    await Promise.race([sleep(pollMilliseconds), run.ended]);
  }
  signal.throwIfAborted();
};

const launch = async (supervision: Supervision): Promise<ChildRun> => {
  const { plan, stopping } = supervision;
  await plan.beforeStart?.();
  stopping.signal.throwIfAborted();
  const run = runChild(plan.command);
  supervision.run = run;
  try {
    await waitUntilReady(plan, run, stopping.signal);
    return run;
  } catch (error) {
    if (!stopping.signal.aborted) {
      run.signal('SIGKILL');
      await run.ended;
    }
    throw error;
  }
};

/** Tries until the process is ready again, or the supervision stops. */
const relaunch = async (supervision: Supervision, firstPause: number): Promise<ChildRun> => {
  const { plan, events, stopping } = supervision;
  let told = false;
  for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPauseMilliseconds)) {
    await sleep(pause, undefined, { signal: stopping.signal });
    try {
      const run = await launch(supervision);
      events.say(`${plan.name} is back (process ${run.pid}).`);
      events.onRestarted();
      return run;
    } catch (error) {
      stopping.signal.throwIfAborted();
      if (!told) events.say(`${errorText(error)}; trying on. Its log: ${plan.command.logFile}`);
      told = true;
    }
  }
};

const keepRunning = async (supervision: Supervision, first: ChildRun): Promise<void> => {
  const { plan, events, stopping } = supervision;
  let run = first;
  let pause = firstPauseMilliseconds;
  while (!stopping.signal.aborted) {
    const since = Date.now();
    const ending = await run.ended;
    if (stopping.signal.aborted) return;
    events.say(`${plan.name} ended unexpectedly (${ending}); starting it again.`);
    // One that dies soon after each start is given longer and longer pauses.
    const isSteady = Date.now() - since >= steadyMilliseconds;
    pause = isSteady ? firstPauseMilliseconds : Math.min(pause * 2, longestPauseMilliseconds);
    run = await relaunch(supervision, pause);
  }
};

const begin = async (supervision: Supervision): Promise<void> => {
  const { plan, stopping } = supervision;
  truncateLog(plan.command.logFile);
  try {
    const run = await launch(supervision);
    supervision.life = keepRunning(supervision, run).catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error;
    });
  } catch (error) {
    stopping.signal.throwIfAborted();
    const tail = readLogTail(plan.command.logFile);
    throw new StackError(`${errorText(error)}. The end of ${plan.command.logFile}:\n${tail}`);
  }
};

const end = async (supervision: Supervision): Promise<void> => {
  const { plan, stopping } = supervision;
  stopping.abort(new StackError(`${plan.name} is being stopped`));
  supervision.run?.signal(plan.stopSignal ?? 'SIGTERM');
  const deadline = setTimeout(() => supervision.run?.signal('SIGKILL'), plan.stopSeconds * 1000);
  await supervision.life;
  await supervision.run?.ended;
  clearTimeout(deadline);
};

/** Keeps one process running: started once by `start`, and again whenever it ends, until `stop`. */
export const superviseProcess = (plan: ProcessPlan, events: SupervisorEvents = quiet): SupervisedProcess => {
  const supervision: Supervision = {
    plan,
    events,
    stopping: new AbortController(),
    life: Promise.resolve(),
  };
  let ending: Promise<void> | undefined;
  return {
    name: plan.name,
    pid: () => (supervision.run?.hasEnded() === false ? (supervision.run.pid ?? null) : null),
    start: () => {
      const beginning = begin(supervision);
      supervision.life = beginning.catch(() => undefined);
      return beginning;
    },
    stop: () => {
      ending ??= end(supervision);
      return ending;
    },
    kill: () => {
      supervision.stopping.abort(new StackError(`${plan.name} is being killed`));
      supervision.run?.signal('SIGKILL');
    },
  };
};
