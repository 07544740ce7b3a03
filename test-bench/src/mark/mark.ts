import { readFile } from 'node:fs/promises';
import { ConfigError } from '@platform/shared/config/env';
import { connectClient } from '@platform/shared/db/connect';
import { type Database, query } from '@platform/shared/db/database';
import { FIND_TEST_BENCH } from '@platform/shared/db/test-bench-mark';

const SCHEMA = new URL('schema.sql', import.meta.url);

/**
 * Marks a migrated database as that of a test bench. Only `npm run test-bench` does.
 * @throws ConfigError if the database has users but no mark
 */
export const markDatabase = async (databaseUrl: string): Promise<void> => {
  const client = await connectClient(databaseUrl);
  try {
    const { rows } = await client.query<{ isMarked: boolean; hasUsers: boolean }>(
      `select (${FIND_TEST_BENCH}) as "isMarked", exists (select from users) as "hasUsers"`,
    );
    if (rows.some(({ isMarked, hasUsers }) => hasUsers && !isMarked))
      throw new ConfigError(
        'The database has users, and was not made by a test bench, which would change them. ' +
          'Start the test bench with an empty database, such as another DATA_DIR.',
      );
    await client.query(await readFile(SCHEMA, 'utf8'));
  } finally {
    await client.end();
  }
};

/** @throws ConfigError if the database has no mark */
export const requireMark = async (database: Database): Promise<void> => {
  const text = `select (${FIND_TEST_BENCH}) as is_marked`;
  const [row] = await query<{ isMarked: boolean }>(database, { text, values: [] });
  if (!row?.isMarked)
    throw new ConfigError(
      'DATABASE_URL: the database has no mark of a test bench. Start the test bench with npm run test-bench.',
    );
};
