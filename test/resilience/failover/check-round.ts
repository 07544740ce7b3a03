import { expect } from 'chai';
import { expectNothingLost, expectRecovered } from '../load/inject-under-load.ts';
import {
  countResults,
  expectNone,
  filterFailed,
  filterRefused,
  findSecondsWithoutWrites,
} from '../load/request-log.ts';
import type { RoundResult } from './run-round.ts';

/** A failed request logs its error with the cause, and many requests can fail in the same second. */
const MAX_LOG_BYTES_PER_SECOND = 200_000;

const getSlowestSeconds = ({ requests }: RoundResult): number =>
  Math.max(0, ...filterFailed(requests).map(({ startedAt, endedAt }) => (endedAt - startedAt) / 1_000));

/** The seconds until the last failed request, or undefined if an operation or a process does not recover. */
const getRecoverySeconds = ({ recoverySeconds, lastFailureSeconds }: RoundResult): number | undefined =>
  recoverySeconds === undefined ? undefined : lastFailureSeconds;

/** @param maxBackends the number of connections that the processes may open */
export const checkRound = (result: RoundResult, maxBackends: number): void => {
  const { scenario, codeMails, logs } = result;
  for (const [message, count] of logs.errors) console.log(`      ${count} × ${message}`);
  expectRecovered(result);
  expectNothingLost(result);
  expect(codeMails.lost, 'lost code mails').to.equal(0);
  const others = filterRefused(result.requests).filter(({ response }) => response.status !== 503);
  expectNone(others, 'requests failed without 503');
  expect(result.backends, 'backends').to.be.at.most(maxBackends);
  if (scenario.isLong) expect(result.unready, 'processes that report the fault').not.to.deep.equal([]);
  expect(logs.unexpected, 'unhandled errors').to.deep.equal([]);
  expect(logs.maxBytesPerSecond).to.be.at.most(MAX_LOG_BYTES_PER_SECOND);
};

export const toRow = (result: RoundResult) => {
  const { scenario, requests, mails, codeMails } = result;
  return {
    'recovered after s': getRecoverySeconds(result)?.toFixed(1) ?? 'never',
    'goal s': `${scenario.goalSeconds} from ${scenario.countedFrom}`,
    'without writes s': findSecondsWithoutWrites(requests).toFixed(1),
    requests: requests.length,
    'not sent': result.notSent,
    failed: countResults(filterFailed(requests)),
    'slowest failed s': getSlowestSeconds(result).toFixed(1),
    writes: result.acknowledgedWrites,
    mails: `${mails.due}, ${mails.duplicates} twice`,
    'code mails': codeMails.due,
    backends: result.backends,
    unready: result.unready.join(' '),
  };
};
