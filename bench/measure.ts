import type { Database } from '@platform/shared/db/database';
import { connectDatabase } from '@platform/shared/db/database';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { createListStores, type ListQuery, pageAt, runListQuery } from './list-cases.ts';
import { percentile } from './statistics.ts';

/** Enough for a p95; a slow query is repeated less often, so that the whole run stays within minutes. */
const MAX_REPETITIONS = 40;
const MIN_REPETITIONS = 5;
const BUDGET_MILLISECONDS = 2_000;

export type Measurement = {
  total: number;
  p50: number;
  p95: number;
  /** EXPLAIN (ANALYZE, BUFFERS) of each statement that the store sent, and the tables read from end to end. */
  plan: string[];
  scannedTables: string[];
  failure?: string;
};

type Sent = { sql: string; bindings: readonly unknown[] };

const explain = async (url: string, { sql, bindings }: Sent): Promise<string[]> =>
  (
    await queryDatabase<{ 'QUERY PLAN': string }>(
      url,
      `explain (analyze, buffers, timing off, summary on) ${sql}`,
      bindings,
    )
  ).map((row) => row['QUERY PLAN']);

/** What an index did not serve: a scan of a whole table, by row, not only of its index. */
const findScans = (plan: readonly string[]): string[] => [
  ...new Set(plan.flatMap((line) => /Seq Scan on (\w+)/.exec(line)?.[1] ?? [])),
];

/** The services' own pool and stores; what they send is noted. */
export const createMeter = (url: string) => {
  const pool = connectDatabase({
    url,
    applicationName: 'bench',
    maxConnections: 1,
    onError: () => undefined,
  });
  let sent: Sent[] = [];
  const recording: Database = {
    query: pool.query,
    execute: (query) => {
      const { sql, bindings } = query.toSQL().toNative();
      sent.push({ sql, bindings });
      return pool.execute(query);
    },
  };
  const stores = createListStores(recording);

  const repeat = async (ask: () => Promise<unknown>): Promise<number[]> => {
    const times: number[] = [];
    const began = performance.now();
    while (
      times.length < MIN_REPETITIONS ||
      (times.length < MAX_REPETITIONS && performance.now() - began < BUDGET_MILLISECONDS)
    ) {
      const started = performance.now();
      await ask();
      times.push(performance.now() - started);
    }
    return times;
  };

  const explainAll = async (): Promise<string[]> => {
    const statements = sent;
    const plans = [];
    for (const statement of statements) plans.push(...(await explain(url, statement)));
    return plans;
  };

  return {
    measure: async (query: ListQuery): Promise<Measurement> => {
      let page = 1;
      sent = [];
      try {
        const { total } = await runListQuery(stores, query, page);
        if (query.depth > 0) {
          page = pageAt(total, query.depth);
          sent = [];
          await runListQuery(stores, query, page);
        }
        const plan = await explainAll();
        const times = await repeat(() => runListQuery(stores, query, page));
        const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)];
        return { total, p50, p95, plan, scannedTables: findScans(plan) };
      } catch (error) {
        const plan = await explainAll();
        const failure = error instanceof Error ? error.message : String(error);
        return { total: -1, p50: 5_000, p95: 5_000, plan, scannedTables: findScans(plan), failure };
      }
    },
    close: pool.close,
  };
};

export type Meter = ReturnType<typeof createMeter>;
