// `npm run bench:list-queries`: the back-office lists and searches at full size, and how much slower they are than with a
// hundredth of the rows. `--plans` prints every query plan, not only the problematic ones; `--scale 0.1` reduces the size.
import { parseArgs } from 'node:util';
import { connectDatabase, type Database } from '@platform/shared/db/database';
import { migrateDatabase } from '@platform/shared/db/migrate';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { stopSharedStack } from '@platform/shared/testing/stack';
import { createEmptyDatabase } from '@platform/shared/testing/test-database';
import { createListStores, LIST_CASES, type ListCase, pageAt, readFromStore } from './list-cases.ts';
import { SMALL } from './plan.ts';
import { type DatasetSize, seedDatabase } from './seed-users.ts';
import { percentile } from './statistics.ts';

const { values } = parseArgs({
  options: { plans: { type: 'boolean', default: false }, scale: { type: 'string', default: '1' } },
});
const scale = (rows: number) => Math.round(rows * Number(values.scale));

const LARGE: DatasetSize = { users: scale(1_000_000), projects: scale(200_000), teams: scale(50_000) };
/** The time of a list above this ratio depends on the size of the table. */
const MAX_RATIO = 3;
/** Enough for a p95; slow queries are repeated less often. */
const MAX_REPETITIONS = 40;
const MIN_REPETITIONS = 5;
const BUDGET_MILLISECONDS = 2_000;

type Measurement = {
  total: number;
  p50: number;
  p95: number;
  /** EXPLAIN (ANALYZE, BUFFERS) of each statement of the store, and the tables with a sequential scan. */
  plan: string[];
  scannedTables: string[];
  failure?: string;
};

type Statement = { sql: string; bindings: readonly unknown[] };

const explain = async (url: string, statements: readonly Statement[]): Promise<string[]> => {
  const plans: string[] = [];
  for (const { sql, bindings } of statements) {
    const text = `explain (analyze, buffers, timing off, summary on) ${sql}`;
    const rows = await queryDatabase<{ 'QUERY PLAN': string }>(url, text, bindings);
    plans.push(...rows.map((row) => row['QUERY PLAN']));
  }
  return plans;
};

/** The services' stores on a database, and the statements that they have sent. */
const connectStores = (url: string) => {
  const options = { url, applicationName: 'bench', maxConnections: 1, onError: () => undefined };
  const pool = connectDatabase(options);
  const statements: Statement[] = [];
  const recording: Database = {
    query: pool.query,
    execute: (query) => {
      const { sql, bindings } = query.toSQL().toNative();
      statements.push({ sql, bindings });
      return pool.execute(query);
    },
  };
  return { url, stores: createListStores(recording), statements, close: pool.close };
};
type Connection = ReturnType<typeof connectStores>;

const timeRepeatedly = async (read: () => Promise<unknown>): Promise<number[]> => {
  const times: number[] = [];
  const ends = performance.now() + BUDGET_MILLISECONDS;
  while (times.length < MIN_REPETITIONS || (times.length < MAX_REPETITIONS && performance.now() < ends)) {
    const started = performance.now();
    await read();
    times.push(performance.now() - started);
  }
  return times;
};

const measureTimes = async ({ stores, statements }: Connection, listCase: ListCase) => {
  const { total } = await readFromStore(stores, listCase, 1);
  const page = pageAt(total, listCase.depth);
  if (page > 1) {
    statements.length = 0;
    await readFromStore(stores, listCase, page);
  }
  const sent = [...statements];
  const times = await timeRepeatedly(() => readFromStore(stores, listCase, page));
  statements.splice(0, statements.length, ...sent);
  return { total, p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
};

/** A failed query counts as 5 s. */
const measure = async (connection: Connection, listCase: ListCase): Promise<Measurement> => {
  connection.statements.length = 0;
  const times = await measureTimes(connection, listCase).catch((error: unknown) => ({
    ...{ total: -1, p50: 5_000, p95: 5_000 },
    failure: error instanceof Error ? error.message : String(error),
  }));
  const plan = await explain(connection.url, connection.statements);
  const scans = plan.flatMap((line) => /Seq Scan on (\w+)/.exec(line)?.[1] ?? []);
  return { ...times, plan, scannedTables: [...new Set(scans)] };
};

type Result = { listCase: ListCase; small: Measurement; large: Measurement };

const getRatio = ({ small, large }: Result): number => large.p95 / small.p95;
const findProblems = (result: Result): string[] => [
  ...(result.large.failure ? [`FAILED: ${result.large.failure}`] : []),
  ...(result.large.scannedTables.length > 0 ? [`scans ${result.large.scannedTables.join(', ')}`] : []),
  ...(getRatio(result) > MAX_RATIO ? [`over ${MAX_RATIO}x`] : []),
];

const printTable = (results: readonly Result[]): void => {
  const columns = ['rows', 'p50 ms', 'p95 ms', 'small p95', 'ratio']
    .map((name) => name.padStart(10))
    .join('');
  console.log(`\n${'query'.padEnd(36)}${columns}`);
  for (const result of results) {
    const { listCase, small, large } = result;
    const times = [large.total, large.p50.toFixed(1), large.p95.toFixed(1), small.p95.toFixed(1)];
    const cells = [...times, getRatio(result).toFixed(1)].map((cell) => String(cell).padStart(10)).join('');
    console.log(`${listCase.name.padEnd(36)}${cells}  ${findProblems(result).join('; ')}`);
  }
};

const printPlans = (results: readonly Result[]): void => {
  for (const result of results) {
    if (!values.plans && findProblems(result).length === 0) continue;
    console.log(`\n-- ${result.listCase.name}\n${result.large.plan.join('\n')}`);
  }
};

const createSeededDatabase = async (size: DatasetSize): Promise<Connection> => {
  const { url } = await createEmptyDatabase();
  await migrateDatabase(url);
  console.log(`${size.users} users, ${size.projects} projects, ${size.teams} teams:`);
  const started = performance.now();
  await seedDatabase(url, size);
  console.log(`  seeded in ${((performance.now() - started) / 1_000).toFixed(0)} s`);
  return connectStores(url);
};

try {
  const [small, large] = [await createSeededDatabase(SMALL), await createSeededDatabase(LARGE)];
  const results: Result[] = [];
  for (const listCase of LIST_CASES)
    results.push({ listCase, small: await measure(small, listCase), large: await measure(large, listCase) });
  await Promise.all([small.close(), large.close()]);
  printPlans(results);
  printTable(results);
  const problems = results.filter((result) => findProblems(result).length > 0);
  console.log(`\n${results.length} queries, ${problems.length} with problems.`);
} finally {
  await stopSharedStack();
}
