import { createLists } from '@platform/admin-service/lists/lists';
import { PROJECTS } from '@platform/admin-service/projects/projects-store';
import { USERS } from '@platform/admin-service/users/users-store';
import { connectDatabase, query, type Statement } from '@platform/shared/db/database';
import type { BenchRun } from '../bench-run.ts';
import { AUDIT_LISTS, LISTS, type ListCase, SEARCHES } from '../list-cases.ts';
import { LARGE, PLAN } from '../plan.ts';
import { formatNumber, type Result } from '../report/table.ts';
import { createSeededDatabase } from '../seed-database.ts';
import { createAdministrator } from '../seed-sessions.ts';
import { median } from '../statistics.ts';

/** A search has at most this total, and pages up to it. */
const MAX_MATCHES = 10_000;
const CURSOR_PAGES = 5;
/** The statement timeout: the time of a page that fails. */
const FAILED_MILLISECONDS = 5_000;

type LargeServers = { adminUrl: string; databaseUrl: string; headers: Record<string, string> };

/** A second database with the rows of LARGE, and an admin-service on it. */
const startLarge = async (run: BenchRun): Promise<LargeServers> => {
  const { platform } = await run.small();
  const databaseUrl = await createSeededDatabase(platform.stack.databaseUrl, 'large', LARGE);
  const { url } = await platform.startInstance('admin', { databaseUrl });
  const headers = await createAdministrator(databaseUrl, platform.secrets);
  return { adminUrl: url, databaseUrl, headers };
};

/** The median milliseconds of each work, run by turns, after a first time that reads from the disk. */
export const timeByTurns = async (
  rounds: number,
  ...works: (() => Promise<unknown>)[]
): Promise<number[]> => {
  const times = works.map((): number[] => []);
  for (let round = 0; round <= rounds; round += 1)
    for (const [index, work] of works.entries()) {
      const started = performance.now();
      await work();
      if (round > 0) times[index]?.push(performance.now() - started);
    }
  return times.map(median);
};

/** `condition` is the search in plain SQL. */
const TYPICAL = [
  ...['anna.smith', '99999@', 'nobody'].map((search) => ({
    list: USERS,
    search,
    condition: 'u.email ilike $1',
  })),
  ...['#19999', 'yoga studio #12', 'zeppelin'].map((search) => ({
    ...{ list: PROJECTS, search },
    condition: 'p.deleted_at is null and (p.title ilike $1 or p.description ilike $1)',
  })),
];

/** The page and the total, as one would write them for this search alone. */
const toPlainSql = ({ list, search, condition }: (typeof TYPICAL)[number]): Statement[] => {
  const values = [`%${search}%`];
  const matches = `from ${list.from} where ${condition}`;
  const page = `select ${list.id} as id, ${list.createdAt} as created_at ${matches} order by 2 desc, 1 desc limit 10`;
  const text = `select ${list.columns} from (${page}) page ${list.joins} order by page.created_at desc, page.id desc`;
  return [
    { text, values },
    { text: `select count(*) ${matches}`, values },
  ];
};

/** Without HTTP, on one connection. */
const measureTypical = async (run: BenchRun, { databaseUrl: url }: LargeServers): Promise<void> => {
  const options = { url, applicationName: 'bench', maxConnections: 1, onError: () => undefined };
  const { database, close } = connectDatabase(options);
  const read = <Row>(statement: Statement) => query<Row>(database, statement);
  const fetchPage = createLists({ read, search: read });
  const rows: [name: string, ours: number, plain: number, ratio: number][] = [];
  for (const typical of TYPICAL) {
    const { list, search } = typical;
    const [ours = Number.NaN, plain = Number.NaN] = await timeByTurns(
      PLAN.comparisonRounds,
      () => fetchPage(list, { search, page: 1, perPage: 10 }),
      async () => {
        for (const statement of toPlainSql(typical)) await read(statement);
      },
    );
    rows.push([`${list.name} search=${search}`, ours, plain, ours / plain]);
  }
  await close();
  const columns = ['', 'search ms', 'plain SQL ms', 'ratio'];
  run.report.addTable('Typical searches against plain SQL, without HTTP', columns, rows);
  const [worst] = rows.toSorted(([, , , one], [, , , other]) => other - one);
  run.report.addResult({
    name: 'typical searches against plain SQL: the worst',
    basis: `${worst?.[0]}, ${formatNumber(worst?.[1] ?? 0)} ms against ${formatNumber(worst?.[2] ?? 0)} ms`,
    unit: '×',
    target: { atMost: 1.2 },
    value: worst?.[3] ?? Number.NaN,
  });
};

type Body = { total?: number; meta?: { total: number }; nextCursor?: string | null };
type Page = {
  name: string;
  /** The first page of a term that most rows match. */
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

/** The first page, and the last one up to MAX_MATCHES. */
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
  return pages.toSorted((one, other) => other.milliseconds - one.milliseconds);
};

const toResult = (name: string, atMost: number, [slowest, ...others]: readonly Page[]): Result => {
  const failed = [slowest, ...others].filter((page) => page?.failure !== undefined);
  const errors = failed[0] ? `${failed.length}, first ${failed[0].name}: ${failed[0].failure}` : 'none';
  return {
    name: `${name}: the slowest`,
    basis: `${slowest?.name}, of ${others.length + 1}; errors: ${errors}`,
    unit: 'ms',
    target: { atMost },
    value: slowest?.milliseconds ?? Number.NaN,
  };
};

/** Lists and searches at 1,000,000 rows whose properties depend on their age. */
export const measureLists = async (run: BenchRun): Promise<void> => {
  const large = await startLarge(run);
  const { report } = run;
  await measureTypical(run, large);
  const searches = await measureAll(SEARCHES, (each) => measureList(large, each));
  const lists = await measureAll(LISTS, (each) => measureList(large, each));
  const audit = await measureAll(AUDIT_LISTS, (each) => measureCursors(large, each));
  const frequent = searches.filter(({ isFrequent }) => isFrequent);
  report.addTable(
    `Pages over HTTP, ${LARGE.users.toLocaleString('en-US')} rows in each table: the ten slowest of each kind`,
    ['', 'total', `median of ${PLAN.pageReads}, ms`],
    [searches, lists, audit].flatMap((pages) =>
      pages.slice(0, 10).map(({ name, total, milliseconds }) => [name, total, milliseconds]),
    ),
  );
  report.addResult(toResult('searches, first and last page, any skew', 1_500, searches));
  report.addResult(toResult('searches that most rows match, first page', 150, frequent));
  report.addResult(toResult('lists without search', 150, lists));
  report.addResult(toResult('pages of the audit log by cursor', 150, audit));
};
