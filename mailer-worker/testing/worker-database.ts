import { connectDatabase, type Database, type DatabasePool } from '@platform/shared/db/database';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { createTestDatabase, type TestDatabase, withLoginOf } from '@platform/shared/testing/test-database';

/** Creates a database for each test and connects with the worker's login. */
export const useWorkerDatabase = () => {
  let created: TestDatabase;
  let pool: DatabasePool;
  beforeEach('create a database', async () => {
    created = await createTestDatabase();
    pool = connectDatabase({
      url: await withLoginOf('worker', created.url),
      applicationName: 'cleanup-test',
      maxConnections: 2,
      onError: () => undefined,
    });
  });
  afterEach('drop it', async () => {
    await pool.close();
    await created.drop();
  });
  return {
    /** The URL with the owner's login. */
    url: (): string => created.url,
    database: (): Database => pool.database,
    /** Runs the statement as the owner. */
    query: <Row extends object>(text: string, values: unknown[] = []) =>
      queryDatabase<Row & Record<string, unknown>>(created.url, text, values),
  };
};
