import { setTimeout as delay } from 'node:timers/promises';
import type { HttpClient } from '@platform/shared/testing/http-client';
import type { ProcessWatch } from '@platform/shared/testing/watch-processes';
import { type MailCounts, startMailBurst, waitForDueMails } from '../load/mails.ts';
import { type MixedLoad, OPERATION_NAMES } from '../load/mixed-load.ts';
import { waitForRecovery } from '../load/recovery.ts';
import { filterFailed, type RequestEntry } from '../load/request-log.ts';
import type { RestartableService } from '../platform.ts';
import { countBackends } from './count-backends.ts';
import { followLogs, type LogSummary } from './process-logs.ts';
import { type RetryingSessions, startRetryingSessions } from './retrying-sessions.ts';
import type { FailoverEngines, Scenario } from './scenario.ts';

export type RoundFixture = {
  engines: FailoverEngines;
  services: Readonly<Record<string, RestartableService>>;
  watching: ProcessWatch;
  client: HttpClient;
  load: MixedLoad;
  inboxUrl: string;
  findLostWrites: (since: number) => Promise<string[]>;
};

export type RoundResult = {
  scenario: Scenario;
  /** Until the last request fails; undefined when an operation or a process does not recover. */
  recoverySeconds: number | undefined;
  requests: RequestEntry[];
  notSent: number;
  acknowledgedWrites: number;
  lostWrites: string[];
  mails: MailCounts;
  codeMails: MailCounts;
  sessions: Awaited<ReturnType<RetryingSessions['stop']>>;
  /** The most backends of the platform at one time. */
  backends: number;
  /** The processes that were not ready at some time. */
  unready: string[];
  logs: LogSummary;
};

/** Of load before the fault and after the recovery. */
const STEADY_SECONDS = 3;
/** Of the mixed load: the machine runs all processes, several engines and the load. */
const LOAD_FACTOR = 0.5;
const OPERATIONS = [...OPERATION_NAMES.auth, ...OPERATION_NAMES.admin];

/** Resolves when every operation succeeds again; `hasRecovered` is false after a timeout. */
const injectUnderLoad = async (scenario: Scenario, fixture: RoundFixture) => {
  const { engines, services, client, load, inboxUrl } = fixture;
  const { entries } = load.requestLog;
  const opsUrls = Object.values(services).map(({ opsUrl }) => opsUrl);
  const sessions = await startRetryingSessions(client);
  const backends = countBackends(engines.databaseUrl);
  const running = load.start(['auth', 'admin'], LOAD_FACTOR);
  const stop = async () => {
    const [{ notSent }, sessionResult] = await Promise.all([running.stop(), sessions.stop()]);
    return { notSent, sessions: sessionResult, backends: backends.stop() };
  };
  try {
    await delay(STEADY_SECONDS * 1_000);
    await startMailBurst(load.adminActions, inboxUrl);
    const since = await scenario.inject();
    const seconds = await waitForRecovery({ opsUrls, entries, operations: OPERATIONS, since });
    await delay(STEADY_SECONDS * 1_000);
    return { since, hasRecovered: seconds !== undefined, ...(await stop()) };
  } catch (error) {
    // Otherwise it would disturb the next group.
    await stop();
    throw error;
  }
};

/** Injects one fault under load, and looks for the acknowledged writes and mails afterwards. */
export const runRound = async (scenario: Scenario, fixture: RoundFixture): Promise<RoundResult> => {
  const { services, watching, load, inboxUrl, findLostWrites } = fixture;
  const { requestLog, expectedState } = load;
  const began = Date.now();
  const firstEntry = requestLog.entries.length;
  const writesBefore = expectedState.acknowledgedWrites;
  const unreadyBefore = watching.unready();
  const readLogs = followLogs(services);
  const { since, hasRecovered, ...underLoad } = await injectUnderLoad(scenario, fixture);
  await scenario.repair();

  const unready = watching.unready();
  const requests = requestLog.entries.slice(firstEntry);
  const failures = filterFailed(requests).map(({ endedAt }) => (endedAt - since) / 1_000);
  return {
    scenario,
    ...underLoad,
    recoverySeconds: hasRecovered ? Math.max(0, ...failures) : undefined,
    requests,
    acknowledgedWrites: expectedState.acknowledgedWrites - writesBefore,
    lostWrites: await findLostWrites(began),
    mails: await waitForDueMails(inboxUrl, expectedState.mails, began),
    codeMails: await waitForDueMails(inboxUrl, expectedState.codeMails, began),
    unready: Object.keys(unready).filter((name) => unready[name] !== unreadyBefore[name]),
    logs: readLogs(),
  };
};
