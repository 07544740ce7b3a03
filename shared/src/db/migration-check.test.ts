import { queryDatabase } from '@platform/shared/testing/query-database';
import { createEmptyDatabase, type TestDatabase } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { connectDatabase, type DatabasePool } from './database.ts';
import { migrateDatabase } from './migrate.ts';
import { createMigrationCheck, NEWEST_MIGRATION } from './migration-check.ts';

describe('Migration check of readiness', () => {
  let empty: TestDatabase;
  let database: DatabasePool;
  let check: () => Promise<void>;

  const connect = (url: string): DatabasePool =>
    connectDatabase({ url, applicationName: 'test', maxConnections: 1, onError: () => undefined });
  const fails = (): Promise<boolean> =>
    check().then(
      () => false,
      () => true,
    );

  beforeEach(async () => {
    empty = await createEmptyDatabase();
    database = connect(empty.url);
    check = createMigrationCheck(database.database);
  });
  afterEach(async () => {
    await database.close();
    await empty.drop();
  });

  it('fails on an empty database and passes once it is migrated', async () => {
    expect(await fails()).to.equal(true);
    const { names } = await migrateDatabase(empty.url);
    expect(names.at(-1)).to.equal(NEWEST_MIGRATION);
    expect(await fails()).to.equal(false);
  });

  it('fails while the newest migration is missing', async () => {
    await migrateDatabase(empty.url);
    await queryDatabase(empty.url, 'delete from knex_migrations where name = $1', [NEWEST_MIGRATION]);
    expect(await fails()).to.equal(true);
  });

  it('leaves an unavailable Postgres to the check of Postgres', async () => {
    const unreachable = connect('postgres://nobody@127.0.0.1:1/none');
    check = createMigrationCheck(unreachable.database);
    expect(await fails()).to.equal(false);
    await unreachable.close();
  });
});
