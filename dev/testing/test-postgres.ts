import { join } from 'node:path';
import { createDataDirectory } from '@platform/shared/testing/data-directory';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { removeData } from '@platform/shared/testing/stack';
import { startPostgres } from '../engines/postgres.ts';
import { reservePorts } from '../ports.ts';

/**
 * A killed server's writes stay in the page cache, and no test kills the machine, so fsync is not needed. Tests
 * open thousands of connections, and each computes the hash of its password at both ends.
 */
const SETTINGS = { fsync: 'off', full_page_writes: 'off', max_wal_size: '64MB', scram_iterations: '1' };

/**
 * Starts a separate PostgreSQL without a schema, for tests that change its settings or run
 * migrations.
 */
export const startTestPostgres = async () => {
  const dataDir = await createDataDirectory('platform-postgres-');
  const { postgres } = await reservePorts({ postgres: { port: 0, host: '127.0.0.1' } });
  await postgres.release();
  const logFile = join(dataDir, 'postgres.log');
  const options = { dataDir, port: postgres.port, logFile, settings: SETTINGS };
  const { url, processUrls, stop } = await startPostgres(options);
  // initdb has hashed it with the usual iterations.
  const { username, password } = new URL(url);
  await queryDatabase(url, `alter role ${username} password '${password}'`);
  return {
    url,
    processUrls,
    stop: async () => {
      await stop();
      await removeData(dataDir);
    },
  };
};
