import type { BenchRun, LargeServers } from '../bench-run.ts';
import { AUDIT_LISTS, LISTS, type ListCase, SEARCHES, USER_HISTORIES, WORK_LISTS } from '../list-cases.ts';
import { PLAN } from '../plan.ts';
import type { Result } from '../report/table.ts';
import { median } from '../statistics.ts';

/** A search has at most this total, and can be paged up to it. */
const MAX_MATCHES = 10_000;
const CURSOR_PAGES = 5;
/** The statement timeout, which counts as the time of a page that fails. */
const FAILED_MILLISECONDS = 5_000;

/**
 * The median milliseconds of each work, or of those that it returns. They run alternately, after a first run that reads
 * from the disk.
 */
export const timeByTurns = async (
  rounds: number,
  ...works: (() => Promise<unknown>)[]
): Promise<number[]> => {
  const times = works.map((): number[] => []);
  for (let round = 0; round <= rounds; round += 1)
    for (const [index, work] of works.entries()) {
      const started = performance.now();
      const milliseconds = await work();
      const elapsed = performance.now() - started;
      if (round > 0) times[index]?.push(typeof milliseconds === 'number' ? milliseconds : elapsed);
    }
  return times.map(median);
};

type Body = { total?: number; meta?: { total: number }; nextCursor?: string | null };
type Page = {
  name: string;
  /** Whether most rows match the term. */
  isFrequent?: boolean;
  total: number;
  milliseconds: number;
  failure?: string;
  nextCursor?: string | null;
};

const readPage = async ({ adminUrl, headers }: LargeServers, name: string, path: string): Promise<Page> => {
  let body: Body = {};
  const read = async () => {
    const response = await fetch(adminUrl + path, { headers });
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    body = (await response.json()) as Body;
  };
  try {
    const [milliseconds = Number.NaN] = await timeByTurns(PLAN.pageReads, read);
    const total = body.total ?? body.meta?.total ?? Number.NaN;
    return { name, total, milliseconds, nextCursor: body.nextCursor ?? null };
  } catch (error) {
    return { name, total: 0, milliseconds: FAILED_MILLISECONDS, failure: String(error) };
  }
};

/** Measures the first page, and the last one up to MAX_MATCHES. */
const measureList = async (servers: LargeServers, { name, path, isFrequent }: ListCase): Promise<Page[]> => {
  const first = await readPage(servers, `${name}, first page`, `${path}&page=1`);
  first.isFrequent = isFrequent === true && first.total === MAX_MATCHES;
  const last = Math.ceil(Math.min(first.total, MAX_MATCHES) / 10);
  return last > 1
    ? [first, await readPage(servers, `${name}, page ${last}`, `${path}&page=${last}`)]
    : [first];
};

const measureCursors = async (servers: LargeServers, { name, path }: ListCase): Promise<Page[]> => {
  const pages: Page[] = [];
  for (let cursor = ''; pages.length < CURSOR_PAGES; ) {
    const page = await readPage(servers, `${name}, page ${pages.length + 1}`, path + cursor);
    pages.push(page);
    if (!page.nextCursor) break;
    cursor = `&cursor=${page.nextCursor}`;
  }
  return pages;
};

const measureAll = async <Case>(
  cases: readonly Case[],
  measure: (each: Case) => Promise<Page[]>,
): Promise<Page[]> => {
  const pages: Page[] = [];
  for (const each of cases) pages.push(...(await measure(each)));
  return pages;
};

const slowestFirst = (pages: readonly Page[]): Page[] =>
  pages.toSorted((one, other) => other.milliseconds - one.milliseconds);

const toResult = (name: string, atMost: number, pages: readonly Page[], reason?: string): Result => {
  const [slowest] = slowestFirst(pages);
  const failed = pages.filter((page) => page.failure !== undefined);
  const errors = failed[0] ? `${failed.length}, first ${failed[0].name}: ${failed[0].failure}` : 'none';
  return {
    name: `${name}: the slowest`,
    basis: `${slowest?.name}, of ${pages.length}; errors: ${errors}`,
    unit: 'ms',
    target: { atMost },
    value: slowest?.milliseconds ?? Number.NaN,
    ...(reason && { reason }),
  };
};

const isFirstPageOf = (list: string) => (page: Page) =>
  page.name.startsWith(`${list} `) && page.name.endsWith('first page');

/** Compares the slowest first page with that of the list of users and its search in the same run. */
const toWorkResult = (work: readonly Page[], usual: readonly Page[]): Result => {
  const [slowest] = slowestFirst(work.filter(({ name }) => name.endsWith('first page')));
  const users = usual.filter(isFirstPageOf('users')).map(({ milliseconds }) => milliseconds);
  const basis = Math.max(...users);
  return {
    name: 'lists for everyday work, first page: the slowest, of that of users',
    basis: `${slowest?.name}: ${slowest?.failure ?? `${slowest?.milliseconds.toFixed(1)} ms`}; users: ${basis.toFixed(1)} ms`,
    unit: '×',
    target: { atMost: 1.5 },
    value: (slowest?.milliseconds ?? Number.NaN) / basis,
  };
};

// These are the reasons why the slowest lists miss their targets, as their plans show.
const TOTAL = 'the total is exact up to 10,000, so the roles of 10,000 blocked users are looked up';
const OLD_MATCHES =
  'the term has 20,000 matches, all among the oldest: 10,001 are read for the total, and all for the page';
const FREQUENT =
  'the first 10,001 matches are counted, and texts are compared by ILIKE, which costs 10 µs for each row';

/** Measures lists and searches in 1,000,000 rows whose properties depend on their age. */
export const measureLists = async (run: BenchRun): Promise<void> => {
  const large = await run.large();
  const { report } = run;
  const searches = await measureAll(SEARCHES, (each) => measureList(large, each));
  const lists = await measureAll(LISTS, (each) => measureList(large, each));
  const work = await measureAll(WORK_LISTS, (each) => measureList(large, each));
  const histories = await measureAll(USER_HISTORIES, async ({ name, path }) => [
    await readPage(large, `${name}, first page`, path),
  ]);
  const audit = await measureAll(AUDIT_LISTS, (each) => measureCursors(large, each));
  const frequent = searches.filter(({ isFrequent }) => isFrequent);
  const ofUsers = [...searches, ...lists, ...work].filter(isFirstPageOf('users'));
  report.addResult(toResult('searches, first and last page, any skew', 1_500, searches));
  report.addResult(toResult('lists of users, first page, any skew', 500, ofUsers, OLD_MATCHES));
  report.addResult(toResult('searches that most rows match, first page', 150, frequent, FREQUENT));
  report.addResult(toResult('lists without search', 150, lists, TOTAL));
  report.addResult(toResult('lists for everyday work, first and last page', 1_500, work));
  report.addResult(toWorkResult([...work, ...histories], [...searches, ...lists]));
  report.addResult(toResult('pages of the audit log by cursor', 150, audit));
};
