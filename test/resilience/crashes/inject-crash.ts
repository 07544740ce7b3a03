import { setTimeout as delay } from 'node:timers/promises';
import type { RunningStack, StackFile } from '@platform/shared/testing/stack';
import type { StackWatch } from '@platform/shared/testing/watch-processes';
import { type MailCounts, startMailBurst, waitForDueMails } from '../load/mails.ts';
import { type MixedLoad, OPERATION_NAMES } from '../load/mixed-load.ts';
import { filterFailed, type RequestEntry } from '../load/request-log.ts';
import { type Fault, injectAndWaitForRecovery } from './faults.ts';

export type CrashFixture = {
  stack: RunningStack;
  watching: StackWatch;
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

/** Injects one fault under load, and looks for the acknowledged writes after the recovery. */
export const injectCrash = async (
  fault: Fault,
  { stack, watching, load, findLostWrites }: CrashFixture,
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
  if (fault.endsTarget) watching.expectEnd(fault.target);
  const recovery = await injectAndWaitForRecovery(stack, fault, { entries, operations: OPERATIONS });
  if (fault.endsTarget) await watching.expectRunning(fault.target);
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
    mails: await waitForDueMails(stack.stack.inboxUrl, expectedState.mails, began),
    restartedOthers: findRestartedOthers(fault, before, await stack.read()),
  };
};
