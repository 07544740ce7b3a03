import { queryDatabase } from '@platform/shared/testing/query-database';
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { connectDatabase, type DatabasePool } from './database.ts';
import { createMigrationCheck, NEWEST_MIGRATION } from './migration-check.ts';

const connect = (url: string): DatabasePool =>
  connectDatabase({ url, applicationName: 'test', maxConnections: 1, onError: () => undefined });

const fails = (check: () => Promise<void>): Promise<boolean> =>
  check().then(
    () => false,
    () => true,
  );

describe('readiness check of migrations', () => {
  let database: TestDatabase;
  let pool: DatabasePool;
  const useDatabase = async (create: typeof createEmptyDatabase): Promise<() => Promise<void>> => {
    database = await create();
    pool = connect(database.url);
    return createMigrationCheck(pool.database);
  };
  afterEach('drop the database', async () => {
    await pool?.close();
    await database?.drop();
  });

  it('fails on an empty database', async () => {
    expect(await fails(await useDatabase(createEmptyDatabase))).to.equal(true);
  });

  it('fails until the newest migration has run', async () => {
    const check = await useDatabase(createTestDatabase);
    const rename = 'update knex_migrations set name = $2 where name = $1';
    await queryDatabase(database.url, rename, [NEWEST_MIGRATION, 'older']);
    expect(await fails(check)).to.equal(true);
    await queryDatabase(database.url, rename, ['older', NEWEST_MIGRATION]);
    expect(await fails(check)).to.equal(false);
  });

  it('passes while Postgres is unavailable, which another check reports', async () => {
    pool = connect('postgres://nobody@127.0.0.1:1/none');
    expect(await fails(createMigrationCheck(pool.database))).to.equal(false);
  });
});
