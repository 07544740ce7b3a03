import type { BenchRun, Market } from '../bench-run.ts';
import { closedLoop } from '../interleaved-runs.ts';
import { LIST_QUERIES } from '../list-cases.ts';
import { createListClient, type ListTimes } from '../list-client.ts';
import { LARGE, PLAN, SMALL, sessionsOf } from '../plan.ts';
import { showNumber } from '../report/table.ts';
import { meRequest, REFRESH_CARRY, refreshRequest } from '../seed-sessions.ts';
import { RATE_COLUMNS, ratesOf } from './ratio.ts';

/** Sessions from all over the table, so that not the same few rows are read all the time. */
const SESSIONS = 2_000;
const MAX_RATIO = 3;
const MAX_FIRST_PAGE = 60;
const FIRST_PAGES = ['users all', 'projects all', 'teams all'];

const count = (number: number): string => number.toLocaleString('en-US');

type Compared = { name: string; small: ListTimes; large: ListTimes; ratio: number };

const compareLists = async (small: Market, large: Market): Promise<Compared[]> => {
  const [ofSmall, ofLarge] = [createListClient(small), createListClient(large)];
  const compared: Compared[] = [];
  for (const query of LIST_QUERIES) {
    const one = await ofSmall.measure(query);
    const other = await ofLarge.measure(query);
    compared.push({ name: query.name, small: one, large: other, ratio: other.p95 / one.p95 });
  }
  ofSmall.close();
  ofLarge.close();
  return compared;
};

const measureLists = async ({ report }: BenchRun, small: Market, large: Market): Promise<void> => {
  const compared = await compareLists(small, large);
  report.table(
    `Every list and search, over HTTP, at ${count(LARGE.users)} users and ${count(LARGE.projects)} projects`,
    ['', 'rows', 'p50 ms', 'p95 ms', `p95 ms at ${count(SMALL.users)} users`, 'ratio'],
    compared.map(({ name, small: one, large: other, ratio }) => [
      ...[name, count(other.total), other.p50, other.p95, one.p95, ratio],
    ]),
  );
  const worst = compared.reduce((one, other) => (other.ratio > one.ratio ? other : one));
  const over = compared.filter(({ ratio }) => ratio > MAX_RATIO).length;
  const { large: at, small: before } = worst;
  report.line({
    work: `each list and search, p95 at ${count(LARGE.users)} users against ${count(SMALL.users)}: the worst`,
    of: `${worst.name}: ${showNumber(at.p95)} ms against ${showNumber(before.p95)} ms; ${over} of ${compared.length} are over ${MAX_RATIO} ×`,
    unit: '×',
    target: { atMost: MAX_RATIO },
    figure: worst.ratio,
  });
  const first = compared.filter(({ name }) => FIRST_PAGES.includes(name));
  const slowest = first.reduce((one, other) => (other.large.p95 > one.large.p95 ? other : one));
  report.line({
    work: `first page unfiltered with its exact total at ${count(LARGE.users)} users, p95: the slowest`,
    of: first.map(({ name, large: times }) => `${name} ${showNumber(times.p95)} ms`).join(', '),
    unit: 'ms',
    target: { atMost: MAX_FIRST_PAGE },
    figure: slowest.large.p95,
  });
};

const measureTokens = async (run: BenchRun, small: Market, large: Market): Promise<void> => {
  const { platform } = await run.small();
  const { secrets } = platform;
  const markets = [
    { name: `at ${count(SMALL.users)} users`, market: small },
    { name: `at ${count(LARGE.users)} users`, market: large },
  ];
  const title = `${SESSIONS} sessions, of ${count(sessionsOf(SMALL))} and of ${count(sessionsOf(LARGE))} token records`;
  const me = await closedLoop(
    markets.map(({ name, market }) => ({
      ...{ name: `me ${name}`, url: market.gatewayUrl },
      requests: market.takeSessions(SESSIONS).map((session) => meRequest(session, secrets)),
    })),
    { rounds: 3 },
  );
  const refresh = await closedLoop(
    markets.map(({ name, market }) => ({
      ...{ name: `refresh ${name}`, url: market.gatewayUrl, carry: REFRESH_CARRY },
      requests: market.takeSessions(PLAN.connections).map((session) => refreshRequest(session, secrets)),
    })),
    { rounds: 3 },
  );
  run.report.table(title, RATE_COLUMNS, [...ratesOf(me), ...ratesOf(refresh)]);
};

/** The same figures with a hundred times as much in the database. */
export const measureGrowth = async (run: BenchRun): Promise<void> => {
  const small = await run.small();
  const large = await run.large();
  await measureTokens(run, small, large);
  await measureLists(run, small, large);
};
