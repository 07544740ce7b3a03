import { setTimeout as delay } from 'node:timers/promises';
import type { RunningStack, StackFile } from '@platform/shared/testing/stack';
import type { Journal, Sample } from '../load/journal.ts';
import type { Ledger } from '../load/ledger.ts';
import { type MixedLoad, OPERATION_NAMES } from '../load/mixed-load.ts';
import type { OfficeSteps } from '../load/office-steps.ts';
import { startSteadyLoad } from '../load/steady-load.ts';
import { awaitBurst } from './burst.ts';
import { awaitDueMails, type MailFigures } from './due-mails.ts';
import { killAndAwaitRecovery, type Victim } from './recovery.ts';

export type Scene = {
  stack: RunningStack;
  load: MixedLoad;
  office: OfficeSteps;
  journal: Journal;
  ledger: Ledger;
  findLost: (since: number) => Promise<string[]>;
};

export type Strike = {
  victim: Victim;
  healthySeconds: number | undefined;
  /** From the kill to the end of the last request that failed; 0 when none did. */
  lastFailureSeconds: number;
  /** Of the whole phase, before and after the kill. */
  samples: Sample[];
  notSent: number;
  /** Writes that were acknowledged in the phase, and what of them cannot be found afterwards. */
  acknowledged: number;
  lost: string[];
  mails: MailFigures;
  /** Other processes that are not the ones that they were. */
  restartedOthers: string[];
};

const WARM_UP_SECONDS = 10;
const CALM_SECONDS = 3;
const OPERATIONS = [...OPERATION_NAMES.auth, ...OPERATION_NAMES.office];

const findRestarted = (victim: Victim, before: StackFile, after: StackFile): string[] =>
  Object.entries(before.pids)
    .filter(([name, pid]) => name !== victim && after.pids[name as Victim] !== pid)
    .map(([name]) => name);

/** Brings everybody who needs an account and a session to both. */
export const warmUp = async (load: MixedLoad): Promise<void> => {
  const running = startSteadyLoad([...load.auth, ...load.office]);
  await delay(WARM_UP_SECONDS * 1_000);
  await running.stop();
};

/** One phase: the load starts, the victim is killed and comes back, the load stops, and what was acknowledged is looked for. */
export const strike = async (
  victim: Victim,
  { stack, load, office, journal, ledger, findLost }: Scene,
): Promise<Strike> => {
  const before = await stack.read();
  const since = Date.now();
  const acknowledgedBefore = ledger.acknowledged;
  const first = journal.samples.length;
  const running = startSteadyLoad([...load.auth, ...load.office]);
  await delay(CALM_SECONDS * 1_000);
  await awaitBurst(office, stack.stack.inboxUrl);
  const { killedAt, healthySeconds } = await killAndAwaitRecovery(stack, victim, {
    samples: journal.samples,
    operations: OPERATIONS,
  });
  await delay(CALM_SECONDS * 1_000);
  const { notSent } = await running.stop();
  const samples = journal.samples.slice(first);
  const failures = samples.filter(({ isSuccess }) => !isSuccess).map(({ endedAt }) => endedAt - killedAt);
  return {
    victim,
    healthySeconds,
    lastFailureSeconds: Math.max(0, ...failures) / 1_000,
    samples,
    notSent,
    acknowledged: ledger.acknowledged - acknowledgedBefore,
    lost: await findLost(since),
    mails: await awaitDueMails(stack.stack.inboxUrl, ledger, since),
    restartedOthers: findRestarted(victim, before, await stack.read()),
  };
};
