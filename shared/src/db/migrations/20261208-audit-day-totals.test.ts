import { holdLock } from '@platform/shared/testing/hold-lock';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { createTestDatabase, type TestDatabase, withLoginOf } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import knexPackage from 'knex';
import { storeAuditDayTotals } from '../audit-day-totals.ts';
import { migrateDatabase } from '../migrate.ts';
import { down, up } from './20261208-audit-day-totals.ts';

const ACTOR = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa';

/** Start of the day (in UTC) that is not counted yet, today or, until 01:00, yesterday: a day is counted an hour after its end. */
const UNCOUNTED_DAY = "date_trunc('day', now() - interval '1 hour', 'UTC')";

/** On each of three past days: 300 records, two of three by the actor, half of them of `even`; and 5 of now. */
const INSERT_RECORDS = `
  insert into audit_records (action, actor_id, target_type, target_id, request_id, address, created_at)
    select case when n % 3 = 0 then 'USER_BLOCKED' else 'USER_UNBLOCKED' end, case when n % 3 > 0 then '${ACTOR}'::uuid end,
      'USER', case when n % 2 = 0 then 'even' else 'odd ' || n end, 'r', 'a',
      ${UNCOUNTED_DAY} - day * interval '24 hours' + n * interval '1 minute'
    from generate_series(1, 3) day, generate_series(1, 300) n;
  insert into audit_records (action, target_type, target_id, request_id, address)
    select 'USER_BLOCKED', 'USER', 'today', 'r', 'a' from generate_series(1, 5)`;

const AT = (age: string) => `${UNCOUNTED_DAY} - interval '${age}'`;

const insertAt = (age: string): string => `
  insert into audit_records (action, target_type, target_id, request_id, address, created_at)
  values ('USER_BLOCKED', 'USER', 'late', 'r', 'a', ${AT(age)})`;

/** By their distance from the uncounted day, oldest first. */
const COUNTED_DAYS = `
  select extract(day from ${UNCOUNTED_DAY} - day)::int as ago from audit_days order by day`;

/** The combinations of the last past day with the number of their records. */
const TOTALS_OF_LAST_DAY = `
  select actor_id as actor, target_id as target, action, total from audit_day_totals where day = ${AT('24 hours')}
  order by actor, target, action`;

describe('totals of past days of the audit log', () => {
  let database: TestDatabase;
  beforeEach('create a database with records', async () => {
    database = await createTestDatabase();
    await queryDatabase(database.url, INSERT_RECORDS);
  });
  afterEach('drop it', () => database.drop());

  const query = <Row extends object>(text: string) =>
    queryDatabase<Row & Record<string, unknown>>(database.url, text);
  const store = async (url = database.url) => storeAuditDayTotals((text) => queryDatabase(url, text));
  const countedDays = async () => (await query<{ ago: number }>(COUNTED_DAYS)).map(({ ago }) => ago);

  it('are counted once for each past day, but not for today', async () => {
    expect(await store(await withLoginOf('worker', database.url))).to.equal(3);
    expect(await countedDays()).to.deep.equal([3, 2, 1]);
    expect(await store()).to.equal(0);
  });

  it('are those of frequent actors, targets and actions, and of their combinations', async () => {
    await store();
    const totals = [
      { actor: ACTOR, target: 'even', action: 'USER_UNBLOCKED', total: 100 },
      { actor: ACTOR, target: 'even', action: null, total: 100 },
      { actor: ACTOR, target: null, action: 'USER_UNBLOCKED', total: 200 },
      { actor: ACTOR, target: null, action: null, total: 200 },
      { actor: null, target: 'even', action: 'USER_BLOCKED', total: 50 },
      { actor: null, target: 'even', action: 'USER_UNBLOCKED', total: 100 },
      { actor: null, target: 'even', action: null, total: 150 },
      { actor: null, target: null, action: 'USER_BLOCKED', total: 100 },
      { actor: null, target: null, action: 'USER_UNBLOCKED', total: 200 },
      { actor: null, target: null, action: null, total: 300 },
    ];
    expect(await query(TOTALS_OF_LAST_DAY)).to.have.deep.members(totals);
  });

  it('of a day without records are counted too', async () => {
    await query(
      `delete from audit_records where created_at >= ${AT('48 hours')} and created_at < ${AT('24 hours')}`,
    );
    expect(await store()).to.equal(3);
    expect(await query(`select total from audit_day_totals where day = ${AT('48 hours')}`)).to.deep.equal([
      { total: 0 },
    ]);
  });

  const CHANGES: Record<string, [change: string, countedDays: number[]]> = {
    'a new record': [
      "insert into audit_records (action, target_type, target_id, request_id, address) values ('USER_BLOCKED', 'USER', 'now', 'r', 'a')",
      [3, 2, 1],
    ],
    'an old record is inserted': [insertAt('30 hours'), [3, 1]],
    'a record is deleted': [
      `delete from audit_records where created_at = ${AT('24 hours')} + interval '1 minute'`,
      [3, 2],
    ],
    'a record is changed': [
      `update audit_records set created_at = created_at - interval '24 hours' where created_at = ${AT('24 hours')} + interval '1 minute'`,
      [3],
    ],
    'all records are truncated': ['truncate audit_records', []],
  };
  for (const [name, [change, days]] of Object.entries(CHANGES))
    it(`${days.length === 3 ? 'stay after' : 'are discarded, only of the days concerned, when'} ${name}`, async () => {
      await store();
      await query(change);
      expect(await countedDays()).to.deep.equal(days);
    });

  it('wait for an old record that is not committed', async () => {
    const late = await holdLock(database.url, insertAt('30 hours'));
    const error = await store().catch((failure: unknown) => failure);
    expect(error).to.have.property('code', '55P03');
    await late.commit();
    await store();
    const [row] =
      await query(`select total from audit_day_totals where day = ${AT('48 hours')} and target_id is null
      and actor_id is null and action is null`);
    expect(row).to.deep.equal({ total: 301 });
  });

  it('are counted by the migration command after a lock of another transaction is released', async () => {
    const lock = await holdLock(database.url, 'lock table audit_days in row exclusive mode');
    const migrated = migrateDatabase(database.url);
    await lock.untilWaiting(1);
    await lock.release();
    await migrated;
    expect(await countedDays()).to.deep.equal([3, 2, 1]);
  });

  it('are counted despite a record without a finite time', async () => {
    await query("update audit_records set created_at = '-infinity' where target_id = 'odd 1'");
    expect(await store()).to.equal(3);
  });

  it('are discarded by an old record that was inserted while the day was counted', async () => {
    const count = await holdLock(database.url, 'select store_next_audit_day_totals()');
    const inserted = query(insertAt('54 hours'));
    await count.untilWaiting(1);
    await count.commit();
    await inserted;
    expect(await countedDays()).to.deep.equal([]);
  });

  it('are counted again after the migration was reverted, and stay when it is repeated', async () => {
    await store();
    const totals = await query(TOTALS_OF_LAST_DAY);
    const db = knexPackage.knex({ client: 'pg', connection: database.url, pool: { min: 0, max: 1 } });
    try {
      await down(db);
      await query(insertAt('30 hours'));
      await up(db);
      expect(await store()).to.equal(3);
      await up(db);
      expect(await query(TOTALS_OF_LAST_DAY)).to.deep.equal(totals);
    } finally {
      await db.destroy();
    }
  });
});
