import type { Report } from '@platform/shared/testing/suite';
import { checkNothingLost, checkRecovery } from '../load/inject-under-load.ts';
import {
  checkTimeouts,
  countResults,
  filterFailed,
  findSecondsWithoutWrites,
  isTimedOut,
  type RequestEntry,
} from '../load/request-log.ts';
import type { RoundResult } from './run-round.ts';

/** A connection, a lock and a response take 2 + 2 + 6 s, and some more on a busy machine. */
const MAX_RESPONSE_SECONDS = 12;
/** A failed request logs its error with the cause, and many requests can fail in the same second. */
const MAX_LOG_BYTES_PER_SECOND = 200_000;
const MAX_SHOWN = 5;

const getSlowestSeconds = ({ requests }: RoundResult): number =>
  Math.max(0, ...filterFailed(requests).map(({ startedAt, endedAt }) => (endedAt - startedAt) / 1_000));

/** The seconds until the last request fails; undefined when an operation or a process does not recover. */
const getRecoverySeconds = ({ recoverySeconds, lastFailureSeconds }: RoundResult): number | undefined =>
  recoverySeconds === undefined ? undefined : lastFailureSeconds;

const countOperations = (requests: readonly RequestEntry[]): string[] =>
  [...Map.groupBy(requests, ({ operation }) => operation)].map(
    ([name, group]) => `${group.length} × ${name}`,
  );

/** @param maxBackends connections that the processes and their poolers may open */
export const checkRound = (report: Report, round: number, result: RoundResult, maxBackends: number): void => {
  const { scenario, codeMails, sessions, logs } = result;
  const check = (holds: boolean, text: string, details: readonly string[] = []) => {
    report.check(holds, `${name}: ${text}`);
    for (const detail of details.slice(0, MAX_SHOWN)) report.log(`    ${detail}`);
  };
  const name = `${scenario.name} ${round}`;
  checkRecovery(report, name, { ...result, recoverySeconds: getRecoverySeconds(result) }, scenario);
  checkTimeouts(report, name, result.requests);
  checkNothingLost(report, name, result);
  check(codeMails.lost === 0, `${codeMails.due} code mails due, ${codeMails.lost} lost`);
  const failed = filterFailed(result.requests).filter((entry) => !isTimedOut(entry));
  const unexpected = failed.filter(({ response }) => response.status !== 503);
  check(
    unexpected.length === 0,
    `failed requests get 503 (others: ${countResults(unexpected)})`,
    countOperations(unexpected),
  );
  const slowest = getSlowestSeconds(result);
  report.timeLimit(
    slowest <= MAX_RESPONSE_SECONDS,
    `${name}: the slowest failed request takes ${slowest.toFixed(1)} s`,
  );
  check(
    sessions.rejections.length === 0,
    `${sessions.sessions} sessions survive ${sessions.refreshes} refreshes, ${sessions.retries} of them repeated`,
    sessions.rejections,
  );
  check(result.backends <= maxBackends, `at most ${result.backends} backends (${maxBackends} are possible)`);
  if (scenario.isLong)
    check(result.unready.length > 0, `readyz was 503 at ${result.unready.join(', ') || 'no process'}`);
  check(
    logs.unexpected.length === 0 && logs.maxBytesPerSecond <= MAX_LOG_BYTES_PER_SECOND,
    `logs: at most ${(logs.maxBytesPerSecond / 1_000).toFixed(1)} KB a second and process, ${logs.unexpected.length} unhandled errors`,
    logs.unexpected,
  );
  for (const [message, count] of logs.errors) report.log(`    ${count} × ${message}`);
};

export const COLUMNS = [
  ...['fault', 'round', 'recovered after s', 'without writes s', 'requests', 'not sent', 'failed'],
  ...['slowest failed s', 'writes', 'lost'],
  ...['mails', 'lost', 'twice', 'code mails', 'lost', 'sessions', 'ended', 'retries'],
  ...['backends', 'unready', 'failed requests'],
];

export const toRow = (round: number, result: RoundResult): unknown[] => {
  const { scenario, requests, mails, codeMails, sessions } = result;
  const recoverySeconds = getRecoverySeconds(result);
  const failed = filterFailed(requests);
  return [
    ...[scenario.name, round, recoverySeconds?.toFixed(1) ?? 'never'],
    ...[findSecondsWithoutWrites(requests).toFixed(1), requests.length, result.notSent],
    ...[
      failed.length,
      getSlowestSeconds(result).toFixed(1),
      result.acknowledgedWrites,
      result.lostWrites.length,
    ],
    ...[mails.due, mails.lost, mails.duplicates, codeMails.due, codeMails.lost],
    ...[sessions.sessions, sessions.rejections.length, sessions.retries],
    ...[result.backends, result.unready.join(' ') || '–', countResults(failed)],
  ];
};
