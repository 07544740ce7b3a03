import { createRecords, type Records } from './records.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

/** Creates a migrated database and its records for each test of a suite. Call it inside `describe`. */
export const useDatabase = () => {
  let database: TestDatabase;
  let records: Records;
  beforeEach('create a database', async () => {
    database = await createTestDatabase();
    records = createRecords(database.url);
  });
  afterEach('drop the database', async () => {
    await records?.close();
    await database?.drop();
  });
  return {
    /** The URL with the owner's login. */
    url: (): string => database.url,
    records: (): Records => records,
  };
};
