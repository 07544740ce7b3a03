import { queryDatabase } from '@platform/shared/testing/query-database';
import { getRejection } from '@platform/shared/testing/rejection';
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { connectDatabase, type DatabasePool } from './database.ts';
import { createMigrationCheck, MIGRATIONS } from './migration-check.ts';

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
  let logged: unknown[];
  const useDatabase = async (create: typeof createEmptyDatabase): Promise<() => Promise<void>> => {
    database = await create();
    pool = connect(database.url);
    logged = [];
    return createMigrationCheck(pool.database, { warn: (...line: unknown[]) => logged.push(...line) });
  };
  afterEach('drop the database', async () => {
    await pool?.close();
    await database?.drop();
  });

  it('fails on an empty database', async () => {
    expect(await fails(await useDatabase(createEmptyDatabase))).to.equal(true);
  });

  it('fails until each migration of this release has run, and names those that are missing', async () => {
    const check = await useDatabase(createTestDatabase);
    const [first = ''] = MIGRATIONS;
    const rename = 'update knex_migrations set name = $2 where name = $1';
    await queryDatabase(database.url, rename, [first, 'other']);
    const error = await getRejection(check());
    expect(error.message).to.equal(`The schema lacks migrations (npm run migrate): ${first}`);
    expect(logged).to.deep.equal([{ err: error }, 'the schema is too old']);
    await queryDatabase(database.url, rename, ['other', first]);
    // A later release has run more.
    await queryDatabase(database.url, "insert into knex_migrations (name, batch) values ('9999-newer', 2)");
    expect(await fails(check)).to.equal(false);
  });

  it('passes while Postgres is unavailable, which another check reports', async () => {
    pool = connect('postgres://nobody@127.0.0.1:1/none');
    expect(await fails(createMigrationCheck(pool.database, { warn: () => undefined }))).to.equal(false);
  });
});
