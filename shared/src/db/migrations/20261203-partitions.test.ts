import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { waitFor } from '@platform/shared/testing/poll';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { migrateToReleasedSchema } from '@platform/shared/testing/released-schema';
import { createEmptyDatabase, type TestDatabase, withLoginOf } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import knexPackage from 'knex';
import pg from 'pg';
import { migrateDatabase } from '../migrate.ts';
import { down } from './20261203-partitions.ts';

const SCRIPT = fileURLToPath(new URL('../../../../migrate/src/run-migrations.ts', import.meta.url));
const ROWS = 200_000;
const MAX_WAIT_MILLISECONDS = 1_000;

const insertRecords = (rows: number) => `
  insert into audit_records (action, actor_id, target_type, target_id, request_id, address, created_at)
  select (array['A', 'B', 'C'])[1 + n % 3], gen_random_uuid(), 'USER', 'target-' || n % 1000, 'r', 'a',
    now() - n * interval '1 minute' from generate_series(1, ${rows}) n`;

const INSERT_ONE = `insert into audit_records (action, target_type, target_id, request_id, address)
  values ('WRITER', 'USER', 'x', 'r', 'a')`;

const COMMITTED = `
  select (select count(*) from knex_migrations) as migrations, (select count(*) from pg_proc) as functions,
    (select array_agg(format('%s %s', adrelid, pg_get_expr(adbin, adrelid)) order by adrelid, adnum) from pg_attrdef) as defaults,
    (select array_agg(format('%s %s', conname, convalidated) order by oid) from pg_constraint) as constraints,
    (select array_agg(format('%s %s', relname, relkind) order by oid) from pg_class) as relations`;

const TABLES = `
  select c.relname as table, c.relkind::text as kind from pg_class c
  where relname in ('audit_records', 'superseded_refresh_tokens') order by 1`;
const PARTITIONED = [
  { table: 'audit_records', kind: 'p' },
  { table: 'superseded_refresh_tokens', kind: 'p' },
];

describe('migration to partitions', () => {
  let database: TestDatabase;
  beforeEach('create a database with the schema of the last release', async () => {
    database = await createEmptyDatabase();
    await migrateToReleasedSchema(database.url);
    await queryDatabase(database.url, 'grant select, insert on audit_records to platform_auth');
  });
  afterEach('drop it', () => database.drop());

  const query = <Row extends object>(text: string) =>
    queryDatabase<Row & Record<string, unknown>>(database.url, text);

  /** Inserts audit records with the login of auth-service until stopped; returns the longest wait and the number. */
  const startWriter = async () => {
    const client = new pg.Client({ connectionString: await withLoginOf('auth', database.url) });
    await client.connect();
    let isStopped = false;
    let [longest, inserted] = [0, 0];
    const write = async (): Promise<void> => {
      while (!isStopped) {
        const started = performance.now();
        await client.query(INSERT_ONE);
        longest = Math.max(longest, performance.now() - started);
        inserted += 1;
        await delay(2);
      }
    };
    const written = write();
    // The test awaits it later; a failure until then must not be unhandled.
    written.catch(() => undefined);
    return {
      stop: async () => {
        isStopped = true;
        await written.finally(() => client.end());
        return { longest, inserted };
      },
    };
  };

  const expectCompleteTotals = async (): Promise<void> => {
    const counts = await query(
      'select action, count(*)::int as total from audit_records group by 1 order by 1',
    );
    const totals = 'select action, sum(total)::int as total from audit_totals group by 1 order by 1';
    expect(await query(totals)).to.deep.equal(counts);
  };

  it(`keeps ${ROWS} rows and blocks no concurrent insert for longer than a second`, async () => {
    await query(insertRecords(ROWS));
    const writer = await startWriter();
    await migrateDatabase(database.url);
    const { longest, inserted } = await writer.stop();
    expect(longest).to.be.below(MAX_WAIT_MILLISECONDS);
    expect(inserted).to.be.above(10);
    expect(await query(TABLES)).to.deep.equal(PARTITIONED);
    const [row] = await query<{ rows: number }>('select count(*)::int as rows from audit_records');
    expect(row?.rows).to.equal(ROWS + inserted);
    await expectCompleteTotals();
  });

  it('does not block writers while a long transaction holds a lock on the table', async () => {
    const reader = await holdLock(database.url, 'lock table audit_records in access share mode');
    const writer = await startWriter();
    const migrated = migrateDatabase(database.url);
    // Three attempts of the migration.
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await reader.untilWaiting(1);
      await delay(400);
    }
    expect(await query(TABLES)).to.deep.include({ table: 'audit_records', kind: 'r' });
    await reader.release();
    await migrated;
    const { longest } = await writer.stop();
    expect(longest).to.be.below(MAX_WAIT_MILLISECONDS);
    expect(await query(TABLES)).to.deep.equal(PARTITIONED);
  });

  it('continues after a kill during the build of an index', async () => {
    // A concurrent build ends by waiting for older snapshots.
    const snapshot = await holdLock(
      database.url,
      'set transaction isolation level repeatable read; select 1',
    );
    const env = { PATH: process.env['PATH'], DATABASE_URL: database.url };
    const script = spawn(process.execPath, [SCRIPT], { env, stdio: 'ignore' });
    const [pid] = await snapshot.untilWaiting(1);
    script.kill('SIGKILL');
    await once(script, 'exit');
    // Postgres notices the lost connection when the statement ends.
    await query(`select pg_terminate_backend(${pid})`);
    await snapshot.release();
    await waitFor('the statement has ended', async () => {
      const active = await query(`select 1 from pg_stat_activity where pid = ${pid}`);
      return active.length === 0;
    });
    const invalid =
      "select 1 from pg_index where not indisvalid and indexrelid = 'audit_records_initial_key'::regclass";
    expect(await query(invalid)).to.have.length(1);
    await migrateDatabase(database.url);
    expect(await query(TABLES)).to.deep.equal(PARTITIONED);
    expect(await query('select 1 from pg_index where not indisvalid')).to.deep.equal([]);
    await expectCompleteTotals();
  });

  it('continues after a failure of each statement', async () => {
    await query(insertRecords(100));
    await query(`
      create sequence statements;
      create function fail() returns event_trigger language plpgsql as $$
        begin
          if nextval('statements') = current_setting('fail.at')::int then
            raise exception 'interrupted';
          end if;
        end
      $$;
      create event trigger fail on ddl_command_end
        when tag in ('ALTER TABLE', 'CREATE INDEX', 'CREATE TABLE', 'CREATE FUNCTION', 'ALTER INDEX', 'GRANT') execute function fail();`);
    const name = new URL(database.url).pathname.slice(1);
    /** False when the migration failed at the statement. */
    const migrateUntil = async (statement: number): Promise<boolean> => {
      await query(`alter database ${name} set fail.at = ${statement}; select setval('statements', 1, false)`);
      return await migrateDatabase(database.url).then(
        () => true,
        (error: Error) => {
          expect(error.message).to.include('interrupted');
          return false;
        },
      );
    };
    // Knex prints each failure.
    const { log } = console;
    console.log = () => undefined;
    let runs = 1;
    const states = new Set<string>();
    try {
      for (let statement = 1; !(await migrateUntil(statement)); statement += 1) {
        runs += 1;
        // After progress, the next run begins with other statements.
        const state = JSON.stringify(await query(COMMITTED));
        if (!states.has(state)) statement = 0;
        states.add(state);
      }
    } finally {
      console.log = log;
    }
    expect(runs).to.be.above(60);
    expect(await query(TABLES)).to.deep.equal(PARTITIONED);
    await expectCompleteTotals();
    // Some 120 migrations, each of which ends at another statement.
  }).timeout(180_000);

  it('is reverted with all rows, totals and privileges', async () => {
    await query(insertRecords(100));
    await migrateDatabase(database.url);
    const db = knexPackage.knex({ client: 'pg', connection: database.url });
    await down(db).finally(() => db.destroy());
    expect(await query(TABLES)).to.deep.equal(PARTITIONED.map(({ table }) => ({ table, kind: 'r' })));
    await queryDatabase(await withLoginOf('auth', database.url), INSERT_ONE);
    expect(await query('select 1 from audit_records')).to.have.length(101);
    await expectCompleteTotals();
  });
});
