// `npm run bench:list-queries`: the back-office lists and searches at full size, without HTTP, and how much slower they are
// than with a hundredth of the rows. `--plans` prints every query plan, not only the problematic ones; `--scale 0.1` reduces
// the size; `--only 'role=OPERATOR search'` measures the cases whose names contain these words.
import { parseArgs } from 'node:util';
import { migrateDatabase } from '@platform/migrate/migrate';
import { connectDatabase } from '@platform/shared/db/database';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { stopSharedStack } from '@platform/shared/testing/stack';
import { createEmptyDatabase } from '@platform/shared/testing/test-database';
import {
  createListStores,
  LIST_CASES,
  type ListCase,
  type Position,
  pageAt,
  positionsOf,
  readFromStore,
} from './list-cases.ts';
import { measureAlternately, type PageTimes, ratioOf, withFailures } from './list-times.ts';
import { PLAN, SMALL } from './plan.ts';
import { createRecorder, explainStatements } from './recorded-statements.ts';
import { type DatasetSize, seedDatabase } from './seed-database.ts';

const { values } = parseArgs({
  options: {
    plans: { type: 'boolean', default: false },
    scale: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
});
const rows = Math.round(1_000_000 * Number(values.scale));
const LARGE: DatasetSize = { users: rows, projects: rows, teams: rows, auditRecords: rows };

/** The time of a list above this ratio depends on the size of the table. */
const MAX_RATIO = 3;
const MAX_MILLISECONDS = 300;

const createSeededDatabase = async (size: DatasetSize) => {
  const { url } = await createEmptyDatabase();
  await migrateDatabase(url);
  const started = performance.now();
  await seedDatabase(url, size);
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  console.log(`${size.users} rows in each table: seeded in ${seconds} s`);
  // As in admin-service: one connection, whose prepared statements have the plans that production would run.
  const options = { url, applicationName: 'bench', maxConnections: 1, onError: () => undefined };
  const pool = connectDatabase(options);
  const recorder = createRecorder(pool);
  return { url, pool, recorder, stores: createListStores(recorder.database) };
};
type Connection = Awaited<ReturnType<typeof createSeededDatabase>>;

type Measured = PageTimes & { plan: string[]; scannedTables: string[] };

/** Tables of which a sequential scan takes long. */
const findLargeTables = async (url: string): Promise<Set<string>> => {
  const tables = await queryDatabase<{ name: string }>(
    url,
    "select relname as name from pg_class where relkind = 'r' and reltuples > 10000",
  );
  return new Set(tables.map(({ name }) => name));
};

const readTotal = async ({ stores }: Connection, listCase: ListCase): Promise<number> =>
  (await readFromStore(stores, listCase, 1)).total;

const measure = async (
  small: Connection,
  large: Connection,
  listCase: ListCase,
  position: Position,
  total: number,
): Promise<PageTimes> =>
  withFailures(
    { name: `${listCase.name}, ${position} page`, isSearch: listCase.isSearch, total },
    async () => {
      const read =
        ({ stores }: Connection, page: number) =>
        () =>
          readFromStore(stores, listCase, page);
      const smallPage = pageAt(await readTotal(small, listCase), position);
      const reads = [read(small, smallPage), read(large, pageAt(total, position))];
      for (const each of reads) await each();
      const [smallTimes, largeTimes] = await measureAlternately(reads, PLAN.pages);
      if (!smallTimes || !largeTimes) throw new Error('No times');
      return { total, small: smallTimes, large: largeTimes };
    },
  );

const measureCase = async (
  small: Connection,
  large: Connection,
  listCase: ListCase,
  largeTables: ReadonlySet<string>,
): Promise<Measured[]> => {
  const total = await readTotal(large, listCase).catch(() => 0);
  const measured: Measured[] = [];
  for (const position of positionsOf(total)) {
    const times = await measure(small, large, listCase, position, total);
    large.recorder.clear();
    await readFromStore(large.stores, listCase, pageAt(total, position)).catch(() => undefined);
    const plan = await explainStatements(large, large.recorder.take()).catch((error) => [String(error)]);
    const scans = plan.flatMap((line) => /Seq Scan on (\w+)/.exec(line)?.[1] ?? []);
    const scannedTables = [...new Set(scans)].filter((table) => largeTables.has(table));
    measured.push({ ...times, plan, scannedTables });
  }
  return measured;
};

const findProblems = (page: Measured): string[] => [
  ...(page.failure ? [`FAILED: ${page.failure}`] : []),
  ...(page.scannedTables.length > 0 ? [`scans ${page.scannedTables.join(', ')}`] : []),
  ...(page.large.p95 > MAX_MILLISECONDS ? [`over ${MAX_MILLISECONDS} ms`] : []),
  ...(!page.isSearch && ratioOf(page) > MAX_RATIO ? [`over ${MAX_RATIO}x`] : []),
];

const printTable = (pages: readonly Measured[]): void => {
  const columns = ['rows', 'p50 ms', 'p95 ms', 'small p95', 'ratio']
    .map((name) => name.padStart(10))
    .join('');
  console.log(`\n${'page'.padEnd(56)}${columns}`);
  for (const page of pages) {
    const { name, total, large, small } = page;
    const cells = [total, large.p50.toFixed(1), large.p95.toFixed(1), small?.p95.toFixed(1) ?? '–'];
    const line = [...cells, ratioOf(page).toFixed(1)].map((cell) => String(cell).padStart(10)).join('');
    console.log(`${name.padEnd(56)}${line}  ${findProblems(page).join('; ')}`);
  }
};

const printPlans = (pages: readonly Measured[]): void => {
  for (const page of pages) {
    if (!values.plans && findProblems(page).length === 0) continue;
    console.log(`\n-- ${page.name}\n${page.plan.join('\n')}`);
  }
};

try {
  const [small, large] = [await createSeededDatabase(SMALL), await createSeededDatabase(LARGE)];
  const largeTables = await findLargeTables(large.url);
  const cases = LIST_CASES.filter(({ name }) => name.includes(values.only));
  const pages: Measured[] = [];
  for (const listCase of cases) pages.push(...(await measureCase(small, large, listCase, largeTables)));
  await Promise.all([small.pool.close(), large.pool.close()]);
  printPlans(pages);
  printTable(pages);
  const problems = pages.filter((page) => findProblems(page).length > 0);
  console.log(`\n${pages.length} pages, ${problems.length} with problems.`);
} finally {
  await stopSharedStack();
}
