import { connectDatabase, type DatabasePool } from '@platform/shared/db/database';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { createTestDatabase, type TestDatabase, withLoginOf } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import pg from 'pg';
import { repairTotals, TOTALS_TABLES } from '../src/cleanup/list-totals.ts';
import { addToTotal, CASES, findWrongTotals, insertCountedRows } from './counted-rows.ts';

const WRITERS = 8;
const STEPS = 60;

const A_USER = '(select id from users order by random() limit 1)';
const A_PROJECT = '(select id from projects order by random() limit 1)';
const A_TEAM = '(select id from teams order by random() limit 1)';

const CHANGES = [
  `with new as (insert into users (email, password_hash) values (gen_random_uuid() || '@example.com', '-') returning id)
   insert into user_roles (user_id, role) select id, 'CUSTOMER' from new`,
  `insert into user_roles (user_id, role) values (${A_USER}, 'EMPLOYEE') on conflict do nothing`,
  `update users set is_blocked = not is_blocked where id = ${A_USER}`,
  `insert into projects (owner_id, title, description, category, status) values (${A_USER}, 'Title', 'Text', 'WEB', 'DRAFT')`,
  `update projects set category = 'DATA', status = 'PUBLISHED' where id = ${A_PROJECT}`,
  `delete from projects where id = ${A_PROJECT}`,
  `insert into teams (name, slug, status) values ('Team', gen_random_uuid(), 'ONBOARDING')`,
  `update teams set status = 'ACTIVE', verified_at = now() where id = ${A_TEAM} and status = 'ONBOARDING'`,
  `insert into audit_records (action, target_type, target_id, request_id, address)
   select (array['USER_BLOCKED', 'SIGN_IN_FAILED'])[n], 'USER', 'x', 'x', 'x' from generate_series(1, 2) n`,
  `delete from audit_records where id in (select id from audit_records order by random() limit 1)`,
] as const;

/** Concurrent changes may deadlock or delete the row of another: Postgres rolls one of them back. */
const ROLLED_BACK = new Set(['40P01', '23503']);

/** Makes the total 16, and creates the slot of each connection, which can be locked. */
const FILL_SLOTS = `insert into team_totals (status, slot, total) select 'ARCHIVED', slot, 1 from generate_series(0, 15) slot
  on conflict (status, slot) do update set total = 1`;

/** Locks each slot of a total and adds a team: a repair of this total waits between its count and the correction. */
const ADD_TEAM_AND_HOLD_TOTAL = `
  with held as materialized (select 1 from team_totals where status = 'ARCHIVED' for update)
  insert into teams (name, slug, status) select 'Team', gen_random_uuid(), 'ARCHIVED' from (select count(*) from held) each`;

const ADD_ONBOARDING_TEAM = `insert into teams (name, slug, status) values ('Team', gen_random_uuid(), 'ONBOARDING')`;

describe('repair of list totals during writes', () => {
  let database: TestDatabase;
  let pool: DatabasePool;
  beforeEach('create a database with rows', async () => {
    database = await createTestDatabase();
    await insertCountedRows(database.url);
    pool = connectDatabase({
      url: await withLoginOf('worker', database.url),
      applicationName: 'totals-test',
      maxConnections: 3,
      onError: () => undefined,
    });
  });
  afterEach('drop it', async () => {
    await pool.close();
    await database.drop();
  });

  const query = (text: string) => queryDatabase(database.url, text);

  const write = async (): Promise<void> => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    for (let step = 0; step < STEPS; step += 1) {
      try {
        await client.query('begin');
        await client.query(CHANGES[Math.floor(Math.random() * CHANGES.length)] ?? '');
        await client.query(Math.random() < 0.1 ? 'rollback' : 'commit');
      } catch (error) {
        await client.query('rollback');
        if (!(error instanceof pg.DatabaseError && ROLLED_BACK.has(error.code ?? ''))) throw error;
      }
    }
    await client.end();
  };

  it('keeps the changes that commit between its count and its correction, and blocks none', async () => {
    await query(FILL_SLOTS);
    await addToTotal(database.url, 'team_totals', { status: 'ONBOARDING' }, 7);
    const held = await holdLock(database.url, ADD_TEAM_AND_HOLD_TOTAL);
    const repaired = repairTotals(pool, 'team_totals');
    await held.untilWaiting(1);
    await query(ADD_ONBOARDING_TEAM);
    await query("delete from teams where slug = 'team-1'");
    await query(ADD_ONBOARDING_TEAM);
    await held.commit();
    expect((await repaired).differences).to.deep.equal([
      { key: { status: 'ARCHIVED' }, kept: 16, counted: 2 },
      { key: { status: 'ONBOARDING' }, kept: 10, counted: 3 },
    ]);
    expect(await findWrongTotals(database.url)).to.deep.equal([]);
  });

  it('corrects a difference once when two repairs run at a time', async () => {
    await query(FILL_SLOTS);
    const held = await holdLock(
      database.url,
      "select 1 from team_totals where status = 'ARCHIVED' for update",
    );
    const repairs = [repairTotals(pool, 'team_totals'), repairTotals(pool, 'team_totals')];
    await held.untilWaiting(2);
    await held.release();
    const differences = (await Promise.all(repairs)).flatMap((recount) => recount.differences);
    expect(differences).to.deep.equal([{ key: { status: 'ARCHIVED' }, kept: 16, counted: 2 }]);
    expect(await findWrongTotals(database.url)).to.deep.equal([]);
  });

  it('leaves exact totals after concurrent changes of all tables', async () => {
    for (const table of TOTALS_TABLES) await addToTotal(database.url, table, CASES[table].present, 100);
    let isWriting = true;
    const repair = async (): Promise<void> => {
      do for (const table of TOTALS_TABLES) await repairTotals(pool, table);
      while (isWriting);
    };
    const writing = Promise.all(Array.from({ length: WRITERS }, write)).finally(() => {
      isWriting = false;
    });
    await Promise.all([writing, repair(), repair()]);
    expect(await findWrongTotals(database.url)).to.deep.equal([]);
  });
});
