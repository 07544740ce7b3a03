import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { MIGRATIONS } from '@platform/shared/db/migration-check';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { waitFor } from '@platform/shared/testing/poll';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { getRejection } from '@platform/shared/testing/rejection';
import { createEmptyDatabase, type TestDatabase } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { migrateDatabase } from '../src/migrate.ts';
import { describeSchema } from './catalog.ts';

const SCRIPT = fileURLToPath(new URL('../src/run-migrations.ts', import.meta.url));

describe('migrations', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createEmptyDatabase();
  });
  afterEach(() => database.drop());

  /** Runs `npm run migrate`; rejects if the exit code is not 0. */
  const runScript = () => {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const env = { PATH, NODE_COMPILE_CACHE, DATABASE_URL: database.url };
    return promisify(execFile)(process.execPath, [SCRIPT], { env });
  };

  it('migrate an empty database, and change nothing afterwards', async () => {
    expect((await runScript()).stdout).to.match(/^Ran 0001-schema/);
    const schema = await describeSchema(database.url);
    expect(schema).to.include(
      'constraint sessions sessions_user_id_fingerprint_key UNIQUE (user_id, fingerprint)',
    );
    expect((await runScript()).stdout.trim()).to.equal('The schema is up to date.');
    expect(await describeSchema(database.url)).to.deep.equal(schema);
  });

  it('are those that the readiness of the services requires', async () => {
    const files = await readdir(new URL('../migrations', import.meta.url));
    expect(files.sort()).to.deep.equal(MIGRATIONS.map((name) => `${name}.ts`));
  });

  it('give every foreign key an index', async () => {
    await migrateDatabase(database.url);
    const unindexed = await queryDatabase(
      database.url,
      `select conrelid::regclass::text as table, pg_get_constraintdef(oid) as key from pg_constraint c
       where contype = 'f' and not exists
         (select 1 from pg_index where indrelid = c.conrelid and indkey[0] = c.conkey[1])`,
    );
    expect(unindexed).to.deep.equal([]);
  });

  it('run once when ten processes migrate an empty database', async () => {
    const runs = await Promise.all(Array.from({ length: 10 }, () => migrateDatabase(database.url)));
    const busy = runs.map(({ names }) => names).filter((names) => names.length > 0);
    expect(busy).to.have.length(1);
    const history = await queryDatabase<{ name: string }>(
      database.url,
      'select name from knex_migrations order by id',
    );
    expect(history.map(({ name }) => name)).to.deep.equal(busy[0]);
  });

  it('ignore the statement and lock timeouts of the database', async () => {
    await migrateDatabase(database.url);
    const name = new URL(database.url).pathname.slice(1);
    await queryDatabase(database.url, `alter database ${name} set statement_timeout = '100ms'`);
    await queryDatabase(database.url, `alter database ${name} set lock_timeout = '100ms'`);
    const lock = await holdLock(database.url, 'lock table knex_migrations in access exclusive mode');
    const migrated = migrateDatabase(database.url);
    const [pid] = await lock.untilWaiting(1);
    // Both timeouts are shorter and would have ended the wait by now.
    await waitFor('the migration has waited for longer', async () => {
      const [row] = await queryDatabase<{ waited: boolean }>(
        database.url,
        `select query_start < now() - interval '300 ms' as waited from pg_stat_activity where pid = ${pid}`,
      );
      return row?.waited;
    });
    await lock.release();
    expect((await migrated).names).to.deep.equal([]);
  });

  it('leave the schema unchanged if one fails, and report its error', async () => {
    await queryDatabase(database.url, 'create table sessions (id int)');
    const before = await describeSchema(database.url);
    const failure = await getRejection(runScript());
    expect(failure).to.deep.include({
      code: 1,
      stdout: '',
      stderr: 'Migration 0001-schema failed: baseline.sql: relation "sessions" already exists\n',
    });
    expect(await describeSchema(database.url)).to.deep.equal(before);
    await queryDatabase(database.url, 'drop table sessions');
    expect((await migrateDatabase(database.url)).names).to.deep.equal(MIGRATIONS);
  });

  it('run after a process was killed while it held the lock of Knex', async () => {
    await migrateDatabase(database.url);
    await queryDatabase(database.url, 'update knex_migrations_lock set is_locked = 1');
    expect((await migrateDatabase(database.url)).names).to.deep.equal([]);
  });

  it('reject a database of before the first release, and change nothing', async () => {
    await migrateDatabase(database.url);
    await queryDatabase(database.url, "update knex_migrations set name = '0001-baseline'");
    const before = await describeSchema(database.url);
    expect(await getRejection(runScript())).to.deep.include({
      code: 1,
      stderr:
        'This database is older than release 1.0.0 and cannot be migrated: delete it (npm run reset) or use an empty one\n',
    });
    expect(await describeSchema(database.url)).to.deep.equal(before);
  });

  it('reject a database with migrations of an unknown release, and change nothing', async () => {
    await migrateDatabase(database.url);
    await queryDatabase(database.url, "insert into knex_migrations (name, batch) values ('9999-newer', 2)");
    await queryDatabase(database.url, 'drop function export_account');
    const before = await describeSchema(database.url);
    expect(await getRejection(runScript())).to.deep.include({
      code: 1,
      stderr: 'This release does not know 9999-newer, which a newer one has run: nothing was changed\n',
    });
    expect(await describeSchema(database.url)).to.deep.equal(before);
  });
});
