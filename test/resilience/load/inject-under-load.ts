import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { type MailCounts, startMailBurst, waitForDueMails } from './mails.ts';
import { type MixedLoad, OPERATION_NAMES } from './mixed-load.ts';
import { waitForRecovery } from './recovery.ts';
import { filterFailed, type RequestEntry } from './request-log.ts';

/** The duration of the load before the fault and after the recovery. */
const STEADY_SECONDS = 3;
const OPERATIONS = [...OPERATION_NAMES.auth, ...OPERATION_NAMES.admin];

export type LoadFixture = {
  load: MixedLoad;
  inboxUrl: string;
  findLostWrites: (since: number) => Promise<string[]>;
};

type InjectedFault = {
  /** The recovery time counts from this time, in milliseconds since the epoch. */
  since: number;
  /** Whether the process of the fault runs again. */
  isBack?: () => Promise<boolean>;
};

export type LoadResult = {
  /** The start of the load, in milliseconds since the epoch. */
  began: number;
  /** The time until every process is ready and every operation has succeeded. Undefined after the timeout. */
  recoverySeconds: number | undefined;
  /** The operations that have not succeeded since the fault. */
  unrecovered: string[];
  /** The time to the end of the last failed request, or 0 without one. */
  lastFailureSeconds: number;
  /** All requests, before and after the fault. */
  requests: RequestEntry[];
  /** The number of operations that were due while every actor was busy. */
  notSent: number;
  acknowledgedWrites: number;
  lostWrites: string[];
  mails: MailCounts;
};

type Injection = {
  opsUrls: readonly string[];
  /** The share of the mixed load. */
  factor?: number;
  inject: () => Promise<InjectedFault>;
  /** Called when the load has stopped, also after an error. */
  afterLoad?: () => Promise<void>;
};

/** Injects one fault under load, and looks for the acknowledged writes and mails after the recovery. */
export const injectUnderLoad = async (
  { load, inboxUrl, findLostWrites }: LoadFixture,
  { opsUrls, factor = 1, inject, afterLoad }: Injection,
): Promise<LoadResult> => {
  const { requestLog, expectedState, adminActions } = load;
  const { entries } = requestLog;
  const [began, firstEntry, writesBefore] = [Date.now(), entries.length, expectedState.acknowledgedWrites];
  const running = load.start(['auth', 'admin'], factor);
  let since = 0;
  let recoverySeconds: number | undefined;
  try {
    await delay(STEADY_SECONDS * 1_000);
    await startMailBurst(adminActions, inboxUrl);
    const fault = await inject();
    since = fault.since;
    recoverySeconds = await waitForRecovery({ ...fault, opsUrls, entries, operations: OPERATIONS });
    await delay(STEADY_SECONDS * 1_000);
  } finally {
    await running.stop();
    await afterLoad?.();
  }
  const { notSent } = await running.stop();
  const requests = entries.slice(firstEntry);
  const recovered = requests.filter(({ isSuccess, startedAt }) => isSuccess && startedAt >= since);
  const failures = filterFailed(requests).map(({ endedAt }) => endedAt - since);
  return {
    began,
    recoverySeconds,
    unrecovered: OPERATIONS.filter((name) => !recovered.some(({ operation }) => operation === name)),
    lastFailureSeconds: Math.max(0, ...failures) / 1_000,
    requests,
    notSent,
    acknowledgedWrites: expectedState.acknowledgedWrites - writesBefore,
    lostWrites: await findLostWrites(began),
    mails: await waitForDueMails(inboxUrl, expectedState.mails, began),
  };
};

/**
 * Checks only that everything recovers. The time is printed with the other figures, because it depends on the
 * machine.
 */
export const expectRecovered = ({ recoverySeconds, unrecovered }: LoadResult): void => {
  expect(unrecovered, 'operations that do not recover').to.deep.equal([]);
  expect(recoverySeconds, 'a process is not ready').not.to.equal(undefined);
};

/**
 * Expects that no acknowledged write and no mail is lost. A mail whose delivery cannot be recorded is sent
 * again.
 */
export const expectNothingLost = ({ lostWrites, mails }: LoadResult): void => {
  expect(lostWrites, 'lost writes').to.deep.equal([]);
  expect(mails.lost, 'lost mails').to.equal(0);
};
