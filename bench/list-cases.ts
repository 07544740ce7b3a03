import { NEWEST_TARGET, OLDEST_ACTOR } from './seed-projects.ts';
import { CROWDED_USER } from './seed-sessions.ts';

// The lists and searches of administrators. Filters and terms select few or many rows of all ages, or only
// the oldest or newest 2 %, because indexes in list order and indexes of terms suit different distributions.

type Filter = Readonly<Record<string, string>>;
export type ListCase = { name: string; path: string; isFrequent?: boolean };

const toCase = (list: string, filter: Filter): ListCase => ({
  name: [list, ...Object.entries(filter).map(([name, value]) => `${name}=${value}`)].join(' '),
  path: `/api/v1/${list}?${new URLSearchParams({ perPage: '10', ...filter })}`,
});

/**
 * OPERATOR is the role of the oldest users and ARBITER that of the newest; most blocked users are among the
 * oldest.
 */
const USER_FILTERS: readonly Filter[] = [
  {},
  { role: 'EMPLOYEE' },
  { role: 'OPERATOR' },
  { role: 'ARBITER' },
  { isBlocked: 'true' },
  { role: 'CUSTOMER', isBlocked: 'true' },
];
const USER_TERMS = ['anna', 'anna.smith', '99999@', '%', 'nobody', 'classic', 'legacy', 'recent'];

/**
 * DISPUTED is the status of the oldest projects and MODERATION that of the newest; CONSULTING belongs to the
 * older half.
 */
const PROJECT_FILTERS: readonly Filter[] = [
  {},
  { status: 'DISPUTED' },
  { status: 'MODERATION' },
  { category: 'CONSULTING' },
  { status: 'DRAFT', category: 'WEB' },
];
const PROJECT_TERMS = ['bakery', '#1999', 'nobody', 'fax', 'legacy', 'prototype'];

/** ARCHIVED is the status of the oldest teams and ONBOARDING that of the newest. */
const TEAM_FILTERS: readonly Filter[] = [{}, { status: 'ARCHIVED' }, { status: 'ONBOARDING' }];
const TEAM_TERMS = ['smith', 'team-9999', '%', 'nobody', 'studio', 'a'];

/** These match most rows of all ages. */
const FREQUENT_USER_TERMS = ['.example', 'a'];
const FREQUENT_PROJECT_TERMS = [' for ', 'an'];

const combine = (filters: readonly Filter[], terms: readonly string[]): Filter[] =>
  filters.flatMap((filter) => terms.map((search) => ({ ...filter, search })));
const toFrequent = (listCase: ListCase): ListCase => ({ ...listCase, isFrequent: true });

export const SEARCHES: readonly ListCase[] = [
  ...combine(USER_FILTERS, USER_TERMS).map((filter) => toCase('users', filter)),
  ...combine(PROJECT_FILTERS, PROJECT_TERMS).map((filter) => toCase('projects', filter)),
  ...combine(USER_FILTERS, FREQUENT_USER_TERMS).map((filter) => toFrequent(toCase('users', filter))),
  ...combine(PROJECT_FILTERS, FREQUENT_PROJECT_TERMS).map((filter) => toFrequent(toCase('projects', filter))),
];

export const LISTS: readonly ListCase[] = [
  ...USER_FILTERS.map((filter) => toCase('users', filter)),
  ...PROJECT_FILTERS.map((filter) => toCase('projects', filter)),
  ...[{}, { status: 'ARCHIVED' }].map((filter) => toCase('administrator/teams', filter)),
];

/**
 * Words of names, parts of addresses, and a phone number. Elderberry is a last name of the oldest 2 % of the users, Youngblood of the
 * newest.
 */
const NAME_TERMS = [
  ...['anna smith', 'smith', 'mila', 'elderberry', 'youngblood'],
  ...['legacy', 'recent', 'nobody', 'a', 'smith, anna', '0170 00123'],
];
const NAME_SEARCHES: readonly Filter[] = [
  ...USER_FILTERS.flatMap((filter) => NAME_TERMS.map((q) => ({ ...filter, q }))),
  { q: 'smith', search: 'anna' },
];

/** The lists for everyday work, which must be as fast as the list of users and its search. */
export const WORK_LISTS: readonly ListCase[] = [
  ...NAME_SEARCHES.map((filter) => toCase('users', filter)),
  ...combine(TEAM_FILTERS, TEAM_TERMS).map((filter) => toCase('administrator/teams', filter)),
  ...[{}, ...combine([{}], [...PROJECT_TERMS, ...FREQUENT_PROJECT_TERMS])].map((filter) =>
    toCase('administrator/deleted-projects', filter),
  ),
];

/** These lists are paged by cursor. */
export const AUDIT_LISTS: readonly ListCase[] = [
  {},
  { action: 'PROJECT_RESTORED' },
  { actorId: OLDEST_ACTOR },
  { actorId: OLDEST_ACTOR, action: 'TOTP_ENABLED' },
  { until: '2023-02-01T00:00:00Z' },
].map((filter) => toCase('administrator/audit-log', filter));

/** The records about a user, and the user's sessions. */
export const USER_HISTORIES: readonly ListCase[] = [
  ...[OLDEST_ACTOR, NEWEST_TARGET, CROWDED_USER]
    .flatMap((userId) => [
      { userId },
      { userId, action: 'PROJECT_RESTORED' },
      { userId, until: '2023-02-01T00:00:00Z' },
    ])
    .map((filter) => toCase('administrator/audit-log', filter)),
  { name: 'sessions of a user', path: `/api/v1/users/${CROWDED_USER}/sessions` },
];
