import { connectDatabase, type DatabasePool } from '@platform/shared/db/database';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { createTestDatabase, type TestDatabase, withLoginOf } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { type Counters, createFailureStore } from './failures-store.ts';
import type { Scope } from './guess-limits.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const NEVER = Number.POSITIVE_INFINITY;

/** After this many failures, the wait, and when they are forgotten, both in seconds from the last failure. */
const LIMITS: [scope: Scope, failures: number, wait: number, forgottenAfter: number][] = [
  ['network', 4, 0, HOUR],
  ['network', 5, 1, HOUR + 1],
  ['network', 6, 2, HOUR + 2],
  ['network', 14, 512, HOUR + 512],
  ['network', 15, 900, HOUR + 900],
  ['network', 5_000, 900, HOUR + 900],
  ['wider-network', 39, 0, HOUR],
  ['wider-network', 40, 1, HOUR + 1],
  ['wider-network', 41, 2, HOUR + 2],
  ['email', 99, 0, DAY],
  ['email', 100, HOUR, DAY + HOUR],
  ['account', 99, 0, NEVER],
  ['account', 100, HOUR, NEVER],
  ['account', 101, 0, NEVER],
  ['account', 200, 2 * HOUR, NEVER],
  ['account', 500, 16 * HOUR, NEVER],
  ['account', 600, DAY, NEVER],
  ['account', 1_500, DAY, NEVER],
];

describe('failures of guesses', () => {
  let database: TestDatabase;
  let pool: DatabasePool;
  before('create a database', async () => {
    database = await createTestDatabase();
    const url = await withLoginOf('auth', database.url);
    pool = connectDatabase({ url, applicationName: 'test', maxConnections: 2, onError: () => undefined });
  });
  after('drop it', async () => {
    await pool.close();
    await database.drop();
  });
  afterEach('delete the failures', () => query('delete from failed_guesses'));

  type Row = { failures: number; expires: number };
  const query = (text: string, values: unknown[] = []) => queryDatabase<Row>(database.url, text, values);
  const store = () => createFailureStore(pool.database);
  const countersOf = (...scopes: Scope[]): Counters => ({
    secret: 'password',
    counters: scopes.map((scope) => ({ scope, subject: `subject of ${scope}` })),
  });
  const fail = async (counters: Counters) => {
    expect((await store().begin(counters, false)).kind).to.equal('counted');
    await store().end('fail', counters);
  };

  for (const [scope, failures, wait, forgottenAfter] of LIMITS)
    it(`causes a wait of ${wait} s at ${failures} of the scope ${scope}, forgotten after ${forgottenAfter} s`, async () => {
      const counters = countersOf(scope);
      await fail(counters);
      await query('update failed_guesses set failures = $1', [failures - 1]);
      await fail(counters);
      const [row] = await query(
        'select extract(epoch from expires_at - now())::float as expires from failed_guesses',
      );
      if (forgottenAfter === NEVER) expect(row?.expires).to.equal(NEVER);
      else expect(row?.expires).to.be.within(forgottenAfter - 60, forgottenAfter);
      // On a busy machine, a short wait could end before the next statement.
      await query(
        "update failed_guesses set waits_until = waits_until + interval '1 min' where waits_until > now() - interval '1 min'",
      );
      const decision = await store().begin(counters, false);
      if (decision.kind === 'rejected') expect(decision.seconds).to.be.within(wait, wait + 60);
      expect(decision.kind).to.equal(wait > 0 ? 'rejected' : 'counted');
    });

  it('counts from one again once they are forgotten', async () => {
    const counters = countersOf('network', 'email');
    await fail(counters);
    await query('update failed_guesses set failures = 99, expires_at = now()');
    await fail(counters);
    const rows = await query('select failures from failed_guesses');
    expect(rows.map(({ failures }) => failures)).to.deep.equal([1, 1]);
  });

  it('counts at all scopes or none', async () => {
    const counters = countersOf('network', 'wider-network', 'account');
    for (const { scope } of counters.counters) {
      await fail(counters);
      await query("update failed_guesses set waits_until = now() + interval '1 min' where scope = $1", [
        scope,
      ]);
      expect(await store().begin(counters, false)).to.include({ kind: 'rejected', scope });
      const rows = await query('delete from failed_guesses returning failures');
      expect(rows.map(({ failures }) => failures)).to.deep.equal([1, 1, 1]);
    }
  });

  it('ends a wait that an attempt without a result has caused', async () => {
    const counters = countersOf('network');
    await fail(counters);
    await query('update failed_guesses set failures = 3');
    for (const _ of ['wrong', 'without a result'])
      expect((await store().begin(counters, false)).kind).to.equal('counted');
    await store().end('fail', counters);
    await query(
      "update failed_guesses set waits_until = now() + interval '1 min' where waits_until > now() - interval '1 min'",
    );
    expect((await store().begin(counters, false)).kind).to.equal('rejected');
    await store().end('refund', counters);
    expect((await store().begin(counters, false)).kind).to.equal('counted');
  });

  for (const kind of ['fail', 'clear', 'refund'] as const)
    it(`leaves those of another secret unchanged by: ${kind}`, async () => {
      const password = countersOf('network', 'account');
      const others = { ...password, secret: 'second-factor' } as const;
      const readOthers = () =>
        queryDatabase(
          database.url,
          "select * from failed_guesses where secret = 'second-factor' order by subject",
        );
      for (const counters of [password, password, others, others]) await store().begin(counters, false);
      const before = await readOthers();
      expect(before).to.have.length(2);
      await store().end(kind, password);
      expect(await readOthers()).to.deep.equal(before);
    });

  for (const [scope, free] of [
    ['network', 5],
    ['account', 100],
  ] as const)
    it(`rejects an attempt while a concurrent one takes the last free one of the scope ${scope}`, async () => {
      const counters = countersOf(scope);
      await fail(counters);
      await query('update failed_guesses set failures = $1', [free - 1]);
      const other = 'update failed_guesses set failures = failures + 1, pending = 1, attempted_at = now()';
      const counting = await holdLock(database.url, other);
      const decision = store().begin(counters, false);
      await counting.commitWhenWaiting(1);
      expect(await decision).to.deep.equal({ kind: 'rejected', scope, seconds: 1 });
    });

  const ENDS = [
    ['counts no attempt without a result', 'refund', [1, 1]],
    ['counts a wrong attempt', 'fail', [2, 2]],
    ['clears', 'clear', []],
  ] as const;
  for (const [name, kind, expected] of ENDS)
    it(`${name} that ends while another one is counted`, async () => {
      const counters = countersOf('network', 'account');
      await store().begin(counters, false);
      const other = 'update failed_guesses set failures = failures + 1, pending = pending + 1';
      const counting = await holdLock(database.url, other);
      const ending = store().end(kind, counters);
      await counting.commitWhenWaiting(1);
      await ending;
      const rows = await query('select failures from failed_guesses');
      expect(rows.map(({ failures }) => failures)).to.deep.equal(expected);
    });
});
