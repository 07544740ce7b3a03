import type { IncomingMessage } from 'node:http';

/** As Envoy's `consecutive_5xx`, `base_ejection_time` and `max_ejection_time`. */
const CONSECUTIVE_FAILURES = 5;
const BASE_EJECTION_MILLISECONDS = 1_000;
const MAX_EJECTION_MILLISECONDS = 30_000;
/** As Envoy's `max_ejection_percent`. */
const MAX_EJECTED_SHARE = 0.5;

/** What the gateway knows of an instance. Times are milliseconds of performance.now(). */
export type InstanceHealth = {
  /** Whether its `/readyz` returns 200. */
  isReady: boolean;
  /** The parts that its `/readyz` names as missing. */
  degraded: readonly string[];
  consecutiveFailures: number;
  /** Those since the last healthy response; the instance is ejected while it is not 0. */
  ejections: number;
  ejectedAt: number;
  ejectedUntil: number;
  /** Whether a request is trying the ejected instance. */
  isTried: boolean;
};

export const createInstanceHealth = (): InstanceHealth => ({
  isReady: true,
  degraded: [],
  consecutiveFailures: 0,
  ejections: 0,
  ejectedAt: 0,
  ejectedUntil: 0,
  isTried: false,
});

const FAILED_STATUSES: ReadonlySet<number | undefined> = new Set([500, 502, 504]);

/** A healthy instance sends 503 with Retry-After: its queue is full, or what all instances use is unavailable. */
export const isFailedResponse = ({ statusCode, headers }: Pick<IncomingMessage, 'statusCode' | 'headers'>) =>
  FAILED_STATUSES.has(statusCode) || (statusCode === 503 && headers['retry-after'] === undefined);

/** While no other instance works, the cause is probably not in this one. */
const mayEject = (others: readonly InstanceHealth[]): boolean => {
  const ejected = others.filter(({ ejections }) => ejections > 0).length + 1;
  const isOtherWorking = others.some(
    ({ isReady, consecutiveFailures }) => isReady && consecutiveFailures === 0,
  );
  return isOtherWorking && ejected <= MAX_EJECTED_SHARE * (others.length + 1);
};

type Result = { isFailure: boolean; sentAt: number };

/**
 * Counts the result of a request. Any response that is not a failure resets the count and ends the ejection, also 503 with
 * Retry-After, because only a working instance sends it. Returns for how many milliseconds the instance is ejected; 0 if it
 * is not.
 */
export const recordResult = (
  health: InstanceHealth,
  others: readonly InstanceHealth[],
  { isFailure, sentAt }: Result,
  now: number,
): number => {
  // Sent before the ejection, so it says nothing of the instance's state since then.
  if (sentAt <= health.ejectedAt) return 0;
  if (!isFailure) {
    Object.assign(health, { consecutiveFailures: 0, ejections: 0, ejectedUntil: 0, isTried: false });
    return 0;
  }
  health.consecutiveFailures += 1;
  if (health.consecutiveFailures < CONSECUTIVE_FAILURES) return 0;
  // An ejected instance gets requests before its time is over when all instances fail.
  if (now < health.ejectedUntil || !mayEject(others)) return 0;
  const milliseconds = Math.min(
    BASE_EJECTION_MILLISECONDS * 2 ** health.ejections,
    MAX_EJECTION_MILLISECONDS,
  );
  health.ejections += 1;
  Object.assign(health, { ejectedAt: now, ejectedUntil: now + milliseconds, isTried: false });
  return milliseconds;
};

/** Call it for each request that is sent to the instance: one at a time tries an ejected one. */
export const startTrial = (health: InstanceHealth): void => {
  health.isTried = health.ejections > 0;
};

/** Call it when the request has ended, also without a result: another one may try the instance then. */
export const endTrial = (health: InstanceHealth, sentAt: number): void => {
  if (sentAt > health.ejectedAt) health.isTried = false;
};

const isEjected = ({ ejections, ejectedUntil, isTried }: InstanceHealth, now: number): boolean =>
  ejections > 0 && (isTried || now < ejectedUntil);

/**
 * The instances with the best rank: first those that are ready, of these those that are not ejected, of these those that
 * have all parts that another one has. When all fail, ejections do not count.
 */
export const findBest = <Instance extends { health: InstanceHealth }>(
  instances: readonly Instance[],
  now: number,
): Instance[] => {
  const healths = instances.map(({ health }) => health);
  const allFail = healths.every(({ consecutiveFailures }) => consecutiveFailures >= CONSECUTIVE_FAILURES);
  const lacksPart = ({ degraded }: InstanceHealth): boolean =>
    degraded.some((part) => healths.some((other) => !other.degraded.includes(part)));
  const ranks = healths.map(
    (health) =>
      (health.isReady ? 0 : 4) + (!allFail && isEjected(health, now) ? 2 : 0) + (lacksPart(health) ? 1 : 0),
  );
  const best = Math.min(...ranks);
  return instances.filter((_, index) => ranks[index] === best);
};
