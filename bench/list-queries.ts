import { parseArgs } from 'node:util';
import { migrateDatabase } from '@platform/shared/db/migrate';
import { stopSharedStack } from '@platform/shared/testing/stack';
import { createEmptyDatabase } from '@platform/shared/testing/test-database';
import { LIST_QUERIES, type ListQuery } from './list-cases.ts';
import { createMeter, type Measurement } from './measure.ts';
import { buildMarket, type MarketSize } from './seed-users.ts';

// `npm run bench:list-queries`: the lists and searches of the back-office at full size, and how much slower they are
// there than at a hundredth of it. `--plans` prints every plan, not only those of the queries that stand out; `--scale 0.1`
// makes the large database smaller, for a quick look.

const { values } = parseArgs({
  options: { plans: { type: 'boolean', default: false }, scale: { type: 'string', default: '1' } },
});
const scaled = (rows: number) => Math.round(rows * Number(values.scale));

const SMALL: MarketSize = { users: 10_000, projects: 2_000, teams: 500 };
const LARGE: MarketSize = { users: scaled(1_000_000), projects: scaled(200_000), teams: scaled(50_000) };
/** A list that costs more than this many times as much grows with the table. */
const MAX_RATIO = 3;

type Result = { query: ListQuery; small: Measurement; large: Measurement };

const build = async (size: MarketSize): Promise<string> => {
  const { url } = await createEmptyDatabase();
  await migrateDatabase(url);
  console.log(`${size.users} users, ${size.projects} projects, ${size.teams} teams:`);
  const started = performance.now();
  await buildMarket(url, size);
  console.log(`  made in ${((performance.now() - started) / 1_000).toFixed(0)} s`);
  return url;
};

const ratioOf = ({ small, large }: Result): number => large.p95 / small.p95;
const faultsOf = (result: Result): string[] => [
  ...(result.large.failure ? [`FAILED: ${result.large.failure}`] : []),
  ...(result.large.scannedTables.length > 0 ? [`scans ${result.large.scannedTables.join(', ')}`] : []),
  ...(ratioOf(result) > MAX_RATIO ? [`over ${MAX_RATIO}x`] : []),
];

const printTable = (results: readonly Result[]): void => {
  const columns = ['rows', 'p50 ms', 'p95 ms', 'small p95', 'ratio']
    .map((name) => name.padStart(10))
    .join('');
  console.log(`\n${'query'.padEnd(36)}${columns}`);
  for (const result of results) {
    const { query, small, large } = result;
    const figures = [large.total, large.p50.toFixed(1), large.p95.toFixed(1), small.p95.toFixed(1)];
    const cells = [...figures, ratioOf(result).toFixed(1)].map((cell) => String(cell).padStart(10)).join('');
    console.log(`${query.name.padEnd(36)}${cells}  ${faultsOf(result).join('; ')}`);
  }
};

const printPlans = (results: readonly Result[]): void => {
  for (const result of results) {
    if (!values.plans && faultsOf(result).length === 0) continue;
    console.log(`\n-- ${result.query.name}\n${result.large.plan.join('\n')}`);
  }
};

const compare = async (): Promise<Result[]> => {
  const [small, large] = [createMeter(await build(SMALL)), createMeter(await build(LARGE))];
  const results: Result[] = [];
  for (const query of LIST_QUERIES)
    results.push({ query, small: await small.measure(query), large: await large.measure(query) });
  await Promise.all([small.close(), large.close()]);
  return results;
};

try {
  const results = await compare();
  printPlans(results);
  printTable(results);
  const faulty = results.filter((result) => faultsOf(result).length > 0);
  console.log(`\n${results.length} queries, ${faulty.length} to look at.`);
} finally {
  await stopSharedStack();
}
