import type { IncomingMessage } from 'node:http';

/** Like Envoy's `consecutive_5xx`, `base_ejection_time` and `max_ejection_time`. */
const CONSECUTIVE_FAILURES = 5;
const BASE_EJECTION_MILLISECONDS = 1_000;
const MAX_EJECTION_MILLISECONDS = 30_000;
/** Like Envoy's `max_ejection_percent`. */
const MAX_EJECTED_SHARE = 0.5;

/** The health of an instance as the gateway sees it. Times are milliseconds of performance.now(). */
export type InstanceHealth = {
  /** Whether its `/readyz` returns 200. */
  isReady: boolean;
  /** The dependencies that its `/readyz` reports as degraded. */
  degraded: readonly string[];
  consecutiveFailures: number;
  /** The ejections since the last healthy response. Unless it is 0, the instance counts as ejected. */
  ejections: number;
  ejectedAt: number;
  ejectedUntil: number;
  /** While the instance is ejected: whether a trial request is in flight. */
  isTried: boolean;
};

export const createInstanceHealth = (isReady = true): InstanceHealth => ({
  isReady,
  degraded: [],
  consecutiveFailures: 0,
  ejections: 0,
  ejectedAt: 0,
  ejectedUntil: 0,
  isTried: false,
});

const FAILED_STATUSES: ReadonlySet<number | undefined> = new Set([500, 502, 504]);

/**
 * A healthy instance sends 503 with Retry-After when its queue is full or a dependency of all instances is
 * unavailable.
 */
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
 * Counts the result of a request. Any response that is not a failure resets the count and ends the ejection.
 * This includes 503 with Retry-After, because only a working instance sends it. Returns for how many
 * milliseconds the instance is ejected, or 0 if it is not.
 */
export const recordResult = (
  health: InstanceHealth,
  others: readonly InstanceHealth[],
  { isFailure, sentAt }: Result,
  now: number,
): number => {
  // The request was sent before the ejection, so its result says nothing about the state since then.
  if (sentAt <= health.ejectedAt) return 0;
  if (!isFailure) {
    Object.assign(health, { consecutiveFailures: 0, ejections: 0, ejectedUntil: 0, isTried: false });
    return 0;
  }
  health.consecutiveFailures += 1;
  if (health.consecutiveFailures < CONSECUTIVE_FAILURES) return 0;
  // While all instances fail, an ejected instance gets requests before its ejection ends.
  if (now < health.ejectedUntil || !mayEject(others)) return 0;
  const milliseconds = Math.min(
    BASE_EJECTION_MILLISECONDS * 2 ** health.ejections,
    MAX_EJECTION_MILLISECONDS,
  );
  health.ejections += 1;
  Object.assign(health, { ejectedAt: now, ejectedUntil: now + milliseconds, isTried: false });
  return milliseconds;
};

/**
 * Must be called for each request that is sent to the instance. An ejected instance gets only one at a time.
 */
export const startTrial = (health: InstanceHealth): void => {
  health.isTried = true;
};

/**
 * Must be called when the request has ended, even without a result. Then another trial may begin.
 */
export const endTrial = (health: InstanceHealth, sentAt: number): void => {
  if (sentAt > health.ejectedAt) health.isTried = false;
};

const isEjected = ({ ejections, ejectedUntil, isTried }: InstanceHealth, now: number): boolean =>
  ejections > 0 && (isTried || now < ejectedUntil);

/**
 * Returns the best instances: those that are ready; among these, those that are not ejected; among these,
 * those that have all dependencies that another one has. When all fail, ejections do not count.
 */
export const findBest = <Instance extends { health: InstanceHealth }>(
  instances: readonly Instance[],
  now: number,
): readonly Instance[] => {
  if (instances.length === 1) return instances;
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
