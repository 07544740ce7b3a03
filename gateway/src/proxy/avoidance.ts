import { findNeed, ROUTE_GROUPS, type RouteGroup } from './route-groups.ts';

/** What fails: the answers to a group of routes, or the connections, which every group needs. */
export type Cause = RouteGroup | 'connection';
/** `busy`: a queue is full, or a provider is away, which says nothing about the instance. `refused`: it got no request. */
export type Outcome = 'answered' | 'failed' | 'busy' | 'refused';

/** Earlier answers fade. `level` counts avoidances, after the last of which (`avoidedUntil`) one request tries the instance. */
const UNKNOWN = {
  answered: 0,
  failed: 0,
  countedAt: 0,
  hasFailedLast: false,
  level: 0,
  avoidedUntil: 0,
  isTried: false,
};
export type Conduct = typeof UNKNOWN;
/** What is known of an instance from its answers, and from its `/readyz`. */
export type Health = { conduct: Record<Cause, Conduct>; missingParts: readonly string[] };

const HALF_LIFE_MILLISECONDS = 20_000;
const FADE_PER_ANSWER = 1 - 1 / 30;
const MAX_MILLISECONDS = 30_000;
/** About three failures in succession, or one after an avoidance. */
const getMinFailures = ({ level }: Conduct): number => (level === 0 ? 2.5 : 0.9);
const MIN_DIFFERENCE = 0.2;

export const createHealth = (): Health => {
  const causes = [...ROUTE_GROUPS, 'connection'].map((cause) => [cause, { ...UNKNOWN }]);
  return { conduct: Object.fromEntries(causes) as Health['conduct'], missingParts: [] };
};

/** Whether it fails more often than the others, some of which succeed: then its own state explains it. */
const isFailing = (own: Conduct, others: readonly Conduct[]): boolean => {
  const answered = others.reduce((total, other) => total + other.answered, 0);
  const failed = others.reduce((total, other) => total + other.failed, 0);
  const isWorse = own.failed / own.answered - failed / answered >= MIN_DIFFERENCE;
  return own.failed >= getMinFailures(own) && answered - failed >= 0.5 && isWorse;
};

/** From 1 s, or for a failed request before, twice as long as last time. */
const avoid = (conduct: Conduct, level: number, now: number): number => {
  const milliseconds = Math.min(500 * 2 ** level, MAX_MILLISECONDS);
  Object.assign(conduct, { ...UNKNOWN, hasFailedLast: true, level, avoidedUntil: now + milliseconds });
  return milliseconds;
};

/** Counts an outcome. Returns for how many milliseconds the instance is avoided from now on; 0 when that does not change. */
export const record = (own: Conduct, outcome: Outcome, others: readonly Conduct[], now: number): number => {
  own.hasFailedLast = outcome !== 'answered';
  // Requests that were sent before an avoidance neither lengthen nor end it.
  if (own.avoidedUntil > now && !own.isTried) return 0;
  if (outcome === 'refused') return avoid(own, 1, now);
  if (outcome !== 'busy') {
    const fade = FADE_PER_ANSWER * 0.5 ** ((now - own.countedAt) / HALF_LIFE_MILLISECONDS);
    own.answered = own.answered * fade + 1;
    own.failed = own.failed * fade + Number(outcome === 'failed');
    own.countedAt = now;
    if (outcome === 'failed' && isFailing(own, others)) return avoid(own, own.level + 1, now);
    if (own.answered >= 8 && own.failed < 0.9) own.level = 0;
  }
  // After `busy`, the next request tries again.
  if (own.isTried) Object.assign(own, { avoidedUntil: outcome === 'busy' ? now : 0, isTried: false });
  return 0;
};

/** One request tries an instance at a time. When it never ends, another one does. */
export const startTrial = (conduct: Conduct, now: number): void => {
  if (conduct.avoidedUntil > 0 && conduct.avoidedUntil <= now)
    Object.assign(conduct, { isTried: true, avoidedUntil: now + MAX_MILLISECONDS });
};

/** What speaks against an instance; Infinity: it cannot serve the group. */
const getSeverity = ({ conduct, missingParts }: Health, group: RouteGroup, now: number): number => {
  const needs = missingParts.map((part) => findNeed(part, group));
  if (needs.includes('needed')) return Number.POSITIVE_INFINITY;
  if (conduct.connection.avoidedUntil > now) return 3;
  if (needs.includes('used')) return 2;
  return conduct[group].avoidedUntil > now ? 1 : 0;
};

/**
 * Whether each instance is avoided for the group: those that cannot serve it while another can, and at most half, the worst
 * first, unless something speaks against all.
 */
export const findAvoided = (instances: readonly Health[], group: RouteGroup, now: number): boolean[] => {
  const severities = instances.map((health) => getSeverity(health, group, now));
  const able = severities.filter(Number.isFinite);
  const limit = able.includes(0) ? Math.floor(severities.length / 2) - (severities.length - able.length) : 0;
  const worstFirst = [...able].filter((severity) => severity > 0).sort((one, other) => other - one);
  const avoided = worstFirst.slice(0, Math.max(0, limit));
  return severities.map((severity) => {
    if (!Number.isFinite(severity)) return able.length > 0;
    const index = avoided.indexOf(severity);
    if (index !== -1) avoided.splice(index, 1);
    return index !== -1;
  });
};
