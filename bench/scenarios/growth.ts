import type { BenchRun, SeededServers } from '../bench-run.ts';
import { measureThroughput, type Target } from '../interleaved-runs.ts';
import { LIST_CASES, type ListCase, type Position, pageAt, positionsOf } from '../list-cases.ts';
import { createListReader, type ListReader } from '../list-reader.ts';
import {
  findSlowest,
  findWorstRatio,
  measureAlternately,
  type PageTimes,
  ratioOf,
  withFailures,
} from '../list-times.ts';
import { LARGE, PLAN, SMALL, sessionCount } from '../plan.ts';
import { formatNumber } from '../report/table.ts';
import { meWorkload, refreshWorkload, type Workload } from '../workloads.ts';
import { RATE_COLUMNS, toRateRows } from './throughput.ts';

/** Sessions from all over the table, so that the requests do not read the same few rows. */
const SESSIONS = 2_000;
const MAX_RATIO = 3;
const MAX_MILLISECONDS = 300;
/** Of the first list, so that V8 has compiled the code of both services. */
const WARM_UP_REQUESTS = 500;

const count = (number: number): string => number.toLocaleString('en-US');

type Readers = { small: ListReader; large: ListReader };

/** A search takes longer with more matches, because the total is exact; of a middle page, the offset is read. */
const isCompared = ({ isSearch }: ListCase, position: Position): boolean =>
  !isSearch && position !== 'middle';

const measurePage = async (
  { small, large }: Readers,
  listCase: ListCase,
  position: Position,
  total: number,
): Promise<Pick<PageTimes, 'large' | 'small' | 'total'>> => {
  const readLarge = () => large.read(listCase, pageAt(total, position));
  if (isCompared(listCase, position)) {
    const page = pageAt(await small.read(listCase, 1), position);
    const reads = [() => small.read(listCase, page), readLarge];
    const [smallTimes, largeTimes] = await measureAlternately(reads, PLAN.comparedPages);
    if (smallTimes && largeTimes) return { total, small: smallTimes, large: largeTimes };
  }
  await readLarge();
  const [times] = await measureAlternately([readLarge], PLAN.pages);
  if (!times) throw new Error('No times');
  return { total, large: times };
};

/** Every page of a list; only the first one if that fails. */
const measureList = async (readers: Readers, listCase: ListCase): Promise<PageTimes[]> => {
  const { name, isSearch } = listCase;
  const measure = (position: Position, total: number) =>
    withFailures({ name: `${name}, ${position} page`, isSearch, total }, async () =>
      measurePage(readers, listCase, position, total),
    );
  const total = await readers.large.read(listCase, 1).catch(() => 0);
  const pages: PageTimes[] = [];
  for (const position of positionsOf(total)) pages.push(await measure(position, total));
  return pages;
};

const measureLists = async (small: SeededServers, large: SeededServers): Promise<PageTimes[]> => {
  const readers = { small: createListReader(small), large: createListReader(large) };
  const [first] = LIST_CASES;
  for (let request = 0; first && request < WARM_UP_REQUESTS; request += 1)
    await Promise.all([readers.small.read(first, 1), readers.large.read(first, 1)]);
  const pages: PageTimes[] = [];
  const cases = LIST_CASES.filter((_, index) => index % PLAN.everyList === 0);
  for (const listCase of cases) pages.push(...(await measureList(readers, listCase)));
  readers.small.close();
  readers.large.close();
  return pages;
};

const describeFailures = (pages: readonly PageTimes[]): string => {
  const failed = pages.filter(({ failure }) => failure !== undefined);
  const [first] = failed;
  return first ? `${failed.length}, first ${first.name}: ${first.failure}` : 'none';
};

const reportSlowest = ({ report }: BenchRun, pages: readonly PageTimes[]): void => {
  const slowest = findSlowest(pages);
  const over = pages.filter(({ large }) => large.p95 > MAX_MILLISECONDS).length;
  report.addResult({
    name: `every list, search and page at ${count(LARGE.users)} rows, skewed: the worst p95`,
    unit: 'ms',
    target: { atMost: MAX_MILLISECONDS },
    basis: `${slowest?.name}; ${over} of ${pages.length} are over ${MAX_MILLISECONDS} ms; errors: ${describeFailures(pages)}`,
    value: slowest?.large.p95 ?? Number.NaN,
  });
};

const reportWorstRatio = ({ report }: BenchRun, pages: readonly PageTimes[]): void => {
  const compared = pages.filter(({ small }) => small);
  const worst = findWorstRatio(pages);
  const over = compared.filter((page) => ratioOf(page) > MAX_RATIO).length;
  const times = `${formatNumber(worst?.large.p95 ?? 0)} ms against ${formatNumber(worst?.small?.p95 ?? 0)} ms`;
  report.addResult({
    name: `lists without search, p95 at ${count(LARGE.users)} rows against ${count(SMALL.users)}: the worst`,
    unit: '×',
    target: { atMost: MAX_RATIO },
    basis: `${worst?.name}: ${times}; ${over} of ${compared.length} pages are over ${MAX_RATIO} ×`,
    value: worst ? ratioOf(worst) : Number.NaN,
  });
};

const reportLists = (run: BenchRun, pages: readonly PageTimes[]): void => {
  const { report } = run;
  const [searches, lists] = [true, false].map((isSearch) =>
    pages.filter((page) => page.isSearch === isSearch),
  ) as [PageTimes[], PageTimes[]];
  const columns = ['', 'rows', 'p50 ms', 'p95 ms'];
  report.addTable(
    `Lists without search over HTTP, ${count(LARGE.users)} rows in each table`,
    [...columns, `p95 ms at ${count(SMALL.users)} rows`, 'ratio'],
    lists.map((page) => [
      ...[page.name, count(page.total), page.large.p50, page.large.p95],
      ...[page.small?.p95 ?? Number.NaN, ratioOf(page)],
    ]),
  );
  report.addTable(
    `Searches over HTTP, ${count(LARGE.users)} rows in each table`,
    columns,
    searches.map(({ name, total, large }) => [name, count(total), large.p50, large.p95]),
  );
  reportSlowest(run, pages);
  reportWorstRatio(run, lists);
  const slowest = findSlowest(searches.filter(({ name }) => name.endsWith('first page')));
  if (slowest)
    report.addNote(
      `The slowest exact total of a search: ${slowest.name}, ${count(slowest.total)} rows, p95 ${formatNumber(slowest.large.p95)} ms`,
    );
};

const measureTokens = async (run: BenchRun, small: SeededServers, large: SeededServers): Promise<void> => {
  const measure = (name: string, create: (servers: SeededServers) => Workload) => {
    const toTarget = (servers: SeededServers): Target => ({
      name: `${name} at ${count(servers.size.users)} users`,
      url: servers.gatewayUrl,
      ...create(servers),
    });
    return measureThroughput([toTarget(small), toTarget(large)], { rounds: PLAN.fewRounds });
  };
  const me = await measure('me', (servers) => meWorkload(servers, SESSIONS));
  const refresh = await measure('refresh', (servers) => refreshWorkload(servers));
  const title = `${SESSIONS} sessions, of ${count(sessionCount(SMALL))} and of ${count(sessionCount(LARGE))} token records`;
  run.report.addTable(title, RATE_COLUMNS, [...toRateRows(me), ...toRateRows(refresh)]);
};

/** The same measurements with a hundred times as many rows. */
export const measureGrowth = async (run: BenchRun): Promise<void> => {
  const small = await run.small();
  const large = await run.large();
  await measureTokens(run, small, large);
  reportLists(run, await measureLists(small, large));
};
