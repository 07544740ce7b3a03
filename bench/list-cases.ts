import { createAuditLogStore } from '@platform/admin-service/audit-log/audit-log-store';
import { createProjectStore } from '@platform/admin-service/projects/projects-store';
import { createTeamStore } from '@platform/admin-service/teams/teams-store';
import { createUserStore } from '@platform/admin-service/users/users-store';
import type { Database } from '@platform/shared/db/database';
import { AUDIT_DAYS, AUDIT_IDS } from './seed-audit-log.ts';

type Stores = {
  users: ReturnType<typeof createUserStore>;
  projects: ReturnType<typeof createProjectStore>;
  teams: ReturnType<typeof createTeamStore>;
  auditLog: ReturnType<typeof createAuditLogStore>;
};

type Filters = {
  users: Parameters<Stores['users']['list']>[0];
  projects: Parameters<Stores['projects']['list']>[0];
  teams: { status?: NonNullable<Parameters<Stores['teams']['list']>[0]> };
  auditLog: Parameters<Stores['auditLog']['list']>[0];
};

/** One list or search of an administrator, of which each page is a request. */
export type ListCase = {
  [List in keyof Filters]: { list: List; filter: Filters[List]; name: string; isSearch: boolean };
}[keyof Filters];

const PER_PAGE = 10;

export const POSITIONS = ['first', 'fifth', 'middle', 'last'] as const;
export type Position = (typeof POSITIONS)[number];

export const pageAt = (total: number, position: Position): number => {
  const last = Math.max(1, Math.ceil(total / PER_PAGE));
  return { first: 1, fifth: Math.min(5, last), middle: Math.ceil(last / 2), last }[position];
};

/** The positions that are different pages of a list. */
export const positionsOf = (total: number): Position[] => {
  const pages = POSITIONS.map((position) => pageAt(total, position));
  return POSITIONS.filter((_, index) => pages.indexOf(pages[index] ?? 0) === index);
};

export const createListStores = (database: Database): Stores => ({
  users: createUserStore(database, database),
  projects: createProjectStore(database, database),
  teams: createTeamStore(database, database),
  auditLog: createAuditLogStore(database),
});

/** Reads a page from the stores, without HTTP. */
export const readFromStore = (
  stores: Stores,
  listCase: ListCase,
  page: number,
): Promise<{ total: number }> => {
  const pagination = { page, perPage: PER_PAGE };
  switch (listCase.list) {
    case 'users':
      return stores.users.list(listCase.filter, pagination);
    case 'projects':
      return stores.projects.list(listCase.filter, pagination);
    case 'teams':
      return stores.teams.list(listCase.filter.status, pagination);
    case 'auditLog':
      return stores.auditLog.list(listCase.filter, pagination);
  }
};

const PATHS = {
  users: '/users',
  projects: '/projects',
  teams: '/administrator/teams',
  auditLog: '/administrator/audit-log',
};

const toText = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value));

/** The same page over HTTP. */
export const toPath = ({ list, filter }: ListCase, page: number): string => {
  const query = new URLSearchParams({ page: String(page), perPage: String(PER_PAGE) });
  for (const [name, value] of Object.entries(filter)) query.set(name, toText(value));
  return `/api/v1${PATHS[list]}?${query}`;
};

const AUDIT_NAMES = new Map(Object.entries(AUDIT_IDS).map(([name, id]) => [id, name]));

/** E.g. "users role=ADMIN search='anna'". Terms are quoted, ids are named, and times are dates. */
const toName = (list: string, filter: object): string => {
  const conditions = Object.entries(filter).map(([name, value]) => {
    if (name === 'search') return `search='${value}'`;
    return `${name}=${value instanceof Date ? toText(value).slice(0, 10) : (AUDIT_NAMES.get(value) ?? value)}`;
  });
  return [list, ...(conditions.length > 0 ? conditions : ['all'])].join(' ');
};

/** Each combination of at most one filter of each dimension, the empty one included. */
export const combine = <Filter extends object>(...dimensions: readonly (readonly Filter[])[]): Filter[] =>
  dimensions.reduce<Filter[]>(
    (combined, filters) =>
      combined.flatMap((one) => [one, ...filters.map((other) => ({ ...one, ...other }))]),
    [{} as Filter],
  );

/** The combinations of at most two dimensions. */
const combinePairs = <Filter extends object>(dimensions: readonly (readonly Filter[])[]): Filter[] =>
  dimensions.flatMap((one, index) => dimensions.slice(index + 1).flatMap((other) => combine(one, other)));

const searches = (terms: readonly string[]): { search: string }[] => terms.map((search) => ({ search }));

/** Of the roles, OPERATOR is that of the oldest 2 % and ARBITER that of the newest. */
const USERS: Filters['users'][] = [
  ...combine<Filters['users']>(
    [
      { role: 'CUSTOMER' },
      { role: 'EMPLOYEE' },
      { role: 'ADMIN' },
      { role: 'OPERATOR' },
      { role: 'ARBITER' },
    ],
    [{ isBlocked: true }, { isBlocked: false }],
  ),
  // Common and rare terms, those of an age, and terms without a trigram have different query plans.
  ...searches([
    '.example',
    '@',
    'a',
    'an',
    'anna',
    'anna.smith',
    '99999@',
    'q',
    'a.s',
    'иван',
    'zz',
    '%',
    '🚀',
    '...',
  ]),
  ...searches(['nobody-has-this', 'classic', 'legacy', 'recent', 'cy', 'y.e']),
  ...combine<Filters['users']>(
    [{ role: 'EMPLOYEE' }, { role: 'OPERATOR' }, { role: 'ARBITER' }, { isBlocked: true }],
    searches(['.example', 'an', 'anna', 'classic', 'legacy', 'recent']),
  ),
];

/** Of the statuses, DISPUTED is that of the oldest 2 % and MODERATION that of the newest; of the categories, OTHER and DATA. */
const PROJECTS: Filters['projects'][] = [
  ...combine<Filters['projects']>(
    [{ status: 'DRAFT' }, { status: 'DISPUTED' }, { status: 'MODERATION' }],
    [{ category: 'WEB' }, { category: 'OTHER' }, { category: 'DATA' }, { category: 'CONSULTING' }],
  ),
  ...searches([' for ', 'a', 'an', 'bakery', 'spreadsheet', '#1999', 'kq', '%', '_', '🚀', 'русском']),
  ...searches(['nobody-has-this', 'fax', 'ax', 'legacy', 'prototype']),
  ...combine<Filters['projects']>(
    [
      { status: 'DISPUTED' },
      { status: 'MODERATION' },
      { category: 'CONSULTING' },
      { status: 'DRAFT', category: 'WEB' },
    ],
    searches([' for ', 'an', 'bakery', 'fax', 'legacy', 'prototype']),
  ),
];

const TEAMS: Filters['teams'][] = combine<Filters['teams']>([
  ...(['ONBOARDING', 'ACTIVE', 'SUSPENDED', 'ARCHIVED'] as const).map((status) => ({ status })),
]);

const DAY = 86_400_000;
const daysAgo = (days: number): Date => new Date(Math.floor(Date.now() / DAY - days) * DAY);

/** Actions, actors and targets of the oldest and the newest 2 %, frequent ones, and times. */
const AUDIT_LOG: Filters['auditLog'][] = combinePairs<Filters['auditLog']>([
  [{ action: 'SIGN_IN_FAILED' }, { action: 'PROJECT_RESTORED' }, { action: 'TOTP_ENABLED' }],
  Object.values(AUDIT_IDS).map((actorId) => ({ actorId })),
  [{ targetId: AUDIT_IDS.frequent }, { targetId: AUDIT_IDS.oldest }],
  [
    { from: daysAgo(30) },
    { until: daysAgo(AUDIT_DAYS - 30) },
    { from: daysAgo(AUDIT_DAYS / 2 + 10), until: daysAgo(AUDIT_DAYS / 2 - 10) },
  ],
]);

const toCases = <List extends keyof Filters>(list: List, filters: readonly Filters[List][]) =>
  filters.map((filter) => ({ list, filter, name: toName(list, filter), isSearch: 'search' in filter }));

const ALL = [
  ...toCases('users', USERS),
  ...toCases('projects', PROJECTS),
  ...toCases('teams', TEAMS),
  ...toCases('auditLog', AUDIT_LOG),
] as ListCase[];

/** Every filter and search once, although several combinations contain it. */
export const LIST_CASES: readonly ListCase[] = [
  ...new Map(ALL.map((listCase) => [listCase.name, listCase])).values(),
];
