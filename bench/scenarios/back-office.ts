import { queryDatabase } from '@platform/shared/testing/query-database';
import type { BenchRun, LargeServers } from '../bench-run.ts';
import { LARGE, PLAN, SMALL } from '../plan.ts';
import { formatNumber } from '../report/table.ts';
import { md5Of } from '../seed-sessions.ts';
import { timeByTurns } from './lists.ts';

const MAX_RATIO = 1.5;
/** Most of shorter times is not the database's, and their ratio says nothing. */
const FLOOR_MILLISECONDS = 20;
/** A user of both sizes. */
const USER = md5Of('user2');
/** An ADMIN of both sizes, to whom forms are assigned. */
const ADMIN = md5Of('user1000');

/** The statement assigns a tenth of the forms that are not done. */
const toAssignment = (table: string): string =>
  `update ${table} set assignee_id = '${ADMIN}' where done_at is null and pick(1, email, 10) = 0`;

type Server = Pick<LargeServers, 'adminUrl' | 'headers'>;
type Screen = { name: string; paths: string[] };

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
const toPath = (path: string, query: Record<string, string> = {}): string =>
  `/api/v1/${path}?${new URLSearchParams({ perPage: '20', ...query })}`;

const ORDERS = ['-createdAt', 'createdAt', '-lastSignInAt', 'lastSignInAt'];
const FILTERS: Record<string, string>[] = [
  {},
  { role: 'CUSTOMER' },
  { role: 'EMPLOYEE' },
  { role: 'ADMIN' },
  { role: 'OPERATOR' },
  { role: 'ARBITER' },
  { isBlocked: 'true' },
  { isEmailVerified: 'false' },
  { createdFrom: '2025-12-01T00:00:00Z' },
  { role: 'CUSTOMER', isBlocked: 'true' },
  { hasPlatformRole: 'true' },
];

const toScreen = (path: string, query: Record<string, string>): Screen => ({
  name: [path, ...Object.entries(query).map(([name, value]) => `${name}=${value}`)].join(' '),
  paths: [toPath(path, query)],
});

/** The requests of each screen of the console, by group. */
const listScreens = (): Record<string, Screen[]> => ({
  overview: [
    {
      name: 'overview',
      paths: [
        `/api/v1/administrator/statistics?${new URLSearchParams({ days: '28', since: daysAgo(1) })}`,
        toPath('administrator/audit-log', { hideSignIns: 'true' }),
      ],
    },
  ],
  'users by order and filter': ORDERS.flatMap((sort) =>
    FILTERS.map((filter) => toScreen('users', { sort, ...filter })),
  ),
  'projects, teams and deleted projects': [
    toScreen('projects', {}),
    toScreen('projects', { status: 'DRAFT' }),
    toScreen('projects', { category: 'WEB' }),
    toScreen('administrator/teams', {}),
    toScreen('administrator/teams', { status: 'ONBOARDING' }),
    toScreen('administrator/deleted-projects', {}),
  ],
  'contact requests': [
    { isDone: 'false' },
    { isDone: 'false', assigneeId: 'none' },
    { isDone: 'false', assigneeId: ADMIN },
    { isDone: 'true' },
    { kind: 'lead' },
    { q: 'elderberry' },
    { q: 'nobody' },
  ].map((query) => toScreen('administrator/contact-requests', query)),
  'audit log': [
    {},
    { hideSignIns: 'true' },
    { from: daysAgo(1) },
    { from: daysAgo(7) },
    { from: daysAgo(30), action: 'SIGN_IN_FAILED' },
    { action: 'USER_BLOCKED' },
    { actorId: USER },
    { userId: USER },
    { targetId: USER },
  ].map((query: Record<string, string>) => toScreen('administrator/audit-log', query)),
  "a person's page": [
    {
      name: 'person',
      paths: [
        `/api/v1/users/${USER}`,
        `/api/v1/users/${USER}/sessions`,
        `/api/v1/users/${USER}/notes`,
        toPath('administrator/audit-log', { userId: USER, perPage: '50' }),
        toPath('administrator/contact-requests', { userId: USER, perPage: '5' }),
        toPath(`users/${USER}/mails`),
      ],
    },
  ],
  'search for everything': ['anna.smith', 'elderberry', 'bakery', 'nobody'].map((text) => ({
    name: text,
    paths: [
      toPath('users', { q: text, perPage: '5' }),
      toPath('projects', { search: text, perPage: '5' }),
      toPath('administrator/teams', { search: text, perPage: '5' }),
      toPath('administrator/contact-requests', { q: text, perPage: '5' }),
    ],
  })),
});

/** All requests of a screen at once, as the console sends them. */
const open = async ({ adminUrl, headers }: Server, { name, paths }: Screen): Promise<void> => {
  await Promise.all(
    paths.map(async (path) => {
      const response = await fetch(adminUrl + path, { headers });
      const body = await response.text();
      if (response.status !== 200) throw new Error(`${name}: ${path}: ${response.status} ${body}`);
    }),
  );
};

const explainFloor = (few: number): string =>
  few < FLOOR_MILLISECONDS ? `, which counts as ${FLOOR_MILLISECONDS} ms` : '';

const toRatio = (few: number, many: number): number => many / Math.max(few, FLOOR_MILLISECONDS);

/** Why the slowest cases of a group miss their target, as their plans show. */
const REASONS: Record<string, string> = {
  'users by order and filter':
    'the total is exact up to 10,000, so all with the filters are counted; an index in the order of sign-ins is read up to the first with the filter',
  'search for everything':
    'the term has 20,000 matches, more than are counted, and all among the oldest, so 10,001 are read for the total and all for the newest five',
};

/** Compares what the console's screens request at the size LARGE with the size SMALL. */
export const measureBackOffice = async (run: BenchRun): Promise<void> => {
  const small = await run.small();
  const large = await run.large();
  const few: Server = { adminUrl: small.adminUrl, headers: small.adminHeaders };
  for (const { databaseUrl } of [small, large]) {
    for (const table of ['lead_requests', 'support_requests'])
      await queryDatabase(databaseUrl, toAssignment(table));
    await queryDatabase(databaseUrl, 'vacuum analyze');
  }
  const rows: string[][] = [];
  for (const [group, screens] of Object.entries(listScreens())) {
    const measured = [];
    for (const screen of screens) {
      const [ofFew = Number.NaN, ofMany = Number.NaN] = await timeByTurns(
        PLAN.pageReads,
        () => open(few, screen),
        () => open(large, screen),
      );
      measured.push({ name: screen.name, ofFew, ofMany });
    }
    const [slowest] = measured.toSorted((one, other) => other.ofMany - one.ofMany);
    const [worst] = measured.toSorted(
      (one, other) => toRatio(other.ofFew, other.ofMany) - toRatio(one.ofFew, one.ofMany),
    );
    if (!(slowest && worst)) continue;
    run.report.addResult({
      name: `${group}, ${formatNumber(LARGE.users)} users of ${formatNumber(SMALL.users)}: the worst`,
      basis: `${worst.name}: ${worst.ofMany.toFixed(0)} ms of ${worst.ofFew.toFixed(0)} ms${explainFloor(worst.ofFew)}`,
      unit: '×',
      target: { atMost: MAX_RATIO },
      value: toRatio(worst.ofFew, worst.ofMany),
      ...(group in REASONS && { reason: REASONS[group] }),
    });
    rows.push([
      group,
      String(measured.length),
      slowest.name,
      slowest.ofFew.toFixed(0),
      slowest.ofMany.toFixed(0),
    ]);
  }
  run.report.addTable(
    `The slowest of each screen; ${formatNumber(LARGE.auditRecords)} audit records, ${formatNumber(LARGE.contactRequests)} contact requests`,
    [
      'screens',
      'cases',
      'the slowest',
      `ms at ${formatNumber(SMALL.users)}`,
      `ms at ${formatNumber(LARGE.users)}`,
    ],
    rows,
  );
};
