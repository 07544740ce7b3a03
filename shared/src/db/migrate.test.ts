import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { createEmptyDatabase, type TestDatabase } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { migrateDatabase, rollbackDatabase } from './migrate.ts';

const SCRIPT = fileURLToPath(new URL('../../../migrate/src/run-migrations.ts', import.meta.url));

/** Whatever a migration can leave in a database, but for Knex's own tables. */
const describeSchema = async (url: string): Promise<string[]> => {
  const rows = await queryDatabase<{ thing: string }>(
    url,
    `select format('column %s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) as thing
       from information_schema.columns where table_schema = 'public' and table_name !~ '^knex_'
     union all select format('index %s', indexdef) from pg_indexes
       where schemaname = 'public' and tablename !~ '^knex_'
     union all select format('constraint %s %s', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint
       where connamespace = 'public'::regnamespace and conrelid::regclass::text !~ '^knex_' and contype <> 'n'
     union all select format('function %s', p.oid::regprocedure) from pg_proc p
       where pronamespace = 'public'::regnamespace
         and not exists (select 1 from pg_depend where objid = p.oid and deptype = 'e')
     union all select format('type %s', typname) from pg_type t
       where typnamespace = 'public'::regnamespace and typtype in ('e', 'd')
     union all select format('trigger %s', tgname) from pg_trigger where not tgisinternal
     order by 1`,
  );
  return rows.map(({ thing }) => thing);
};

describe('Database migrations', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createEmptyDatabase();
  });
  afterEach(() => database.drop());

  /** `npm run migrate`: rejects when it ends with another code than 0. */
  const runScript = () => {
    const env = { PATH: process.env['PATH'], DATABASE_URL: database.url };
    return promisify(execFile)(process.execPath, [SCRIPT], { env });
  };

  it('migrate an empty database, and change nothing afterwards', async () => {
    const { names } = await migrateDatabase(database.url);
    expect(names[0]).to.equal('20261120-accounts');
    expect(await describeSchema(database.url)).to.include(
      'constraint sessions UNIQUE (user_id, fingerprint)',
    );
    expect((await migrateDatabase(database.url)).names).to.deep.equal([]);
  });

  it('leave an empty schema after rollback, and the same schema after another run', async () => {
    const { names } = await migrateDatabase(database.url);
    const before = await describeSchema(database.url);
    expect(await rollbackDatabase(database.url)).to.deep.equal([...names].reverse());
    expect(await describeSchema(database.url)).to.deep.equal([]);
    expect((await migrateDatabase(database.url)).names).to.deep.equal(names);
    expect(await describeSchema(database.url)).to.deep.equal(before);
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
    await lock.untilWaiting(1);
    // Longer than both timeouts, which would have ended the wait by now.
    await delay(300);
    await lock.release();
    expect((await migrated).names).to.deep.equal([]);
  });

  it('leave the schema unchanged when one fails', async () => {
    await queryDatabase(database.url, 'create table sessions (id int)');
    const failure = await runScript().catch((error: unknown) => error);
    expect(failure).to.include({ code: 1 });
    expect(failure).to.have.property('stdout', '');
    expect(failure)
      .to.have.property('stderr')
      .that.matches(/^Migration 20261120-accounts failed: .*relation "sessions" already exists$/ms);
    expect(await describeSchema(database.url)).to.deep.equal(['column sessions.id integer YES ']);
    await queryDatabase(database.url, 'drop table sessions');
    expect((await migrateDatabase(database.url)).names).not.to.deep.equal([]);
  });

  it('are run by a script that prints the result', async () => {
    expect((await runScript()).stdout).to.match(/^Ran 20261120-accounts/);
    expect((await runScript()).stdout.trim()).to.equal('The schema is up to date.');
  });
});
