import { setTimeout as delay } from 'node:timers/promises';
import type { Scraping } from '@platform/shared/testing/scrape-metrics';
import type { RunningStack, StackFile } from '@platform/shared/testing/stack';
import type { OfficeSteps } from '../load/admin-actions.ts';
import type { Ledger } from '../load/expected-state.ts';
import { type MixedLoad, OPERATION_NAMES } from '../load/mixed-load.ts';
import type { Journal, Sample } from '../load/request-log.ts';
import { startSteadyLoad } from '../load/steady-load.ts';
import { awaitBurst } from './burst.ts';
import type { Fault } from './fault.ts';
import { awaitDueMails, type MailFigures } from './outstanding-mails.ts';
import { injectAndAwaitRecovery } from './recovery.ts';

export type Scene = {
  stack: RunningStack;
  scraping: Scraping;
  load: MixedLoad;
  office: OfficeSteps;
  journal: Journal;
  ledger: Ledger;
  findLost: (since: number) => Promise<string[]>;
};

export type Strike = {
  fault: Fault;
  healthySeconds: number | undefined;
  /** From the kill, or the end of the freeze, to the end of the last request that failed; 0 when none did after it. */
  lastFailureSeconds: number;
  /** Of the whole phase, before and after the fault. */
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

const findRestarted = ({ victim, endsVictim }: Fault, before: StackFile, after: StackFile): string[] =>
  Object.entries(before.pids)
    .filter(
      ([name, pid]) =>
        !(endsVictim && name === victim) && after.pids[name as keyof StackFile['pids']] !== pid,
    )
    .map(([name]) => name);

/** The victim's operations listener, where it has one. */
const opsUrlOf = ({ opsUrls }: StackFile, { victim }: Fault): string | undefined =>
  Object.entries(opsUrls).find(([name]) => name === victim)?.[1];

/** Brings everybody who needs an account and a session to both. */
export const warmUp = async (load: MixedLoad): Promise<void> => {
  const running = startSteadyLoad([...load.auth, ...load.office]);
  await delay(WARM_UP_SECONDS * 1_000);
  await running.stop();
};

/** One phase: the load starts, the fault is injected and ends, the load stops, and what was acknowledged is looked for. */
export const strike = async (
  fault: Fault,
  { stack, scraping, load, office, journal, ledger, findLost }: Scene,
): Promise<Strike> => {
  const before = await stack.read();
  const began = Date.now();
  const acknowledgedBefore = ledger.acknowledged;
  const first = journal.samples.length;
  const running = startSteadyLoad([...load.auth, ...load.office]);
  await delay(CALM_SECONDS * 1_000);
  await awaitBurst(office, stack.stack.inboxUrl);
  const endingUrl = fault.endsVictim ? opsUrlOf(before, fault) : undefined;
  if (endingUrl) scraping.unwatch(endingUrl);
  const { since, healthySeconds } = await injectAndAwaitRecovery(stack, fault, {
    samples: journal.samples,
    operations: OPERATIONS,
  });
  if (endingUrl) scraping.watch(fault.victim, endingUrl);
  await delay(CALM_SECONDS * 1_000);
  const { notSent } = await running.stop();
  const samples = journal.samples.slice(first);
  const failures = samples.filter(({ isSuccess }) => !isSuccess).map(({ endedAt }) => endedAt - since);
  return {
    fault,
    healthySeconds,
    lastFailureSeconds: Math.max(0, ...failures) / 1_000,
    samples,
    notSent,
    acknowledged: ledger.acknowledged - acknowledgedBefore,
    lost: await findLost(began),
    mails: await awaitDueMails(stack.stack.inboxUrl, ledger, began),
    restartedOthers: findRestarted(fault, before, await stack.read()),
  };
};
