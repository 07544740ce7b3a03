import { setTimeout as delay } from 'node:timers/promises';
import type { Scraping } from '@platform/shared/testing/scrape-metrics';
import type { RunningStack, StackFile } from '@platform/shared/testing/stack';
import { type MixedLoad, OPERATION_NAMES } from '../load/mixed-load.ts';
import { filterFailed, type RequestEntry } from '../load/request-log.ts';
import { type Fault, injectAndWaitForRecovery } from './faults.ts';
import { type MailCounts, startMailBurst, waitForDueMails } from './mails.ts';

export type CrashFixture = {
  stack: RunningStack;
  scraping: Scraping;
  load: MixedLoad;
  findLostWrites: (since: number) => Promise<string[]>;
};

export type CrashResult = {
  fault: Fault;
  recoverySeconds: number | undefined;
  /** From the kill, or the end of the freeze, to the end of the last failed request; 0 without one. */
  lastFailureSeconds: number;
  /** All requests, before and after the fault. */
  requests: RequestEntry[];
  notSent: number;
  acknowledgedWrites: number;
  lostWrites: string[];
  mails: MailCounts;
  /** Other processes that were restarted. */
  restartedOthers: string[];
};

/** Of load before the fault and after the recovery. */
const STEADY_SECONDS = 3;
const OPERATIONS = [...OPERATION_NAMES.auth, ...OPERATION_NAMES.admin];

const findRestartedOthers = ({ target, endsTarget }: Fault, before: StackFile, after: StackFile): string[] =>
  Object.entries(before.pids)
    .filter(
      ([name, pid]) =>
        !(endsTarget && name === target) && after.pids[name as keyof StackFile['pids']] !== pid,
    )
    .map(([name]) => name);

/** The operations listener of a process that ends, if it has one. */
const findEndingOpsUrl = ({ opsUrls }: StackFile, { target, endsTarget }: Fault): string | undefined =>
  endsTarget ? Object.entries(opsUrls).find(([name]) => name === target)?.[1] : undefined;

/** Injects one fault under load, and looks for the acknowledged writes after the recovery. */
export const injectCrash = async (
  fault: Fault,
  { stack, scraping, load, findLostWrites }: CrashFixture,
): Promise<CrashResult> => {
  const { requestLog, expectedState, adminActions } = load;
  const { entries } = requestLog;
  const before = await stack.read();
  const began = Date.now();
  const writesBefore = expectedState.acknowledgedWrites;
  const firstEntry = entries.length;
  const running = load.start();
  await delay(STEADY_SECONDS * 1_000);
  await startMailBurst(adminActions, stack.stack.inboxUrl);
  const opsUrl = findEndingOpsUrl(before, fault);
  if (opsUrl) scraping.unwatch(opsUrl);
  const recovery = await injectAndWaitForRecovery(stack, fault, { entries, operations: OPERATIONS });
  if (opsUrl) scraping.watch(fault.target, opsUrl);
  await delay(STEADY_SECONDS * 1_000);
  const { notSent } = await running.stop();
  const requests = entries.slice(firstEntry);
  const failures = filterFailed(requests).map(({ endedAt }) => endedAt - recovery.since);
  return {
    fault,
    recoverySeconds: recovery.recoverySeconds,
    lastFailureSeconds: Math.max(0, ...failures) / 1_000,
    requests,
    notSent,
    acknowledgedWrites: expectedState.acknowledgedWrites - writesBefore,
    lostWrites: await findLostWrites(began),
    mails: await waitForDueMails(stack.stack.inboxUrl, expectedState, began),
    restartedOthers: findRestartedOthers(fault, before, await stack.read()),
  };
};
