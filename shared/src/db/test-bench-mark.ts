import { ConfigError } from '../config/env.ts';
import { type Database, query } from './database.ts';

/** The schema of the test bench, which is its mark. Looking for it needs no rights. */
export const FIND_TEST_BENCH = "select to_regnamespace('test_bench') is not null";

/**
 * The test bench changes accounts on demand, so its database must not serve anybody else.
 * @throws ConfigError in production, if the database is that of a test bench
 */
export const rejectTestBench = async (database: Database, isProduction: boolean): Promise<void> => {
  if (!isProduction) return;
  const text = `select (${FIND_TEST_BENCH}) as is_marked`;
  // The readiness check reports a Postgres that is unavailable.
  const rows = await query<{ isMarked: boolean }>(database, { text, values: [] }).catch(() => []);
  if (rows[0]?.isMarked)
    throw new ConfigError(
      'DATABASE_URL: the database is that of a test bench (schema test_bench), which does not run with ' +
        'NODE_ENV=production. Use the database of this platform, or an empty one.',
    );
};
