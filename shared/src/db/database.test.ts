import { mock } from 'node:test';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { waitFor } from '@platform/shared/testing/poll';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { getRejection } from '@platform/shared/testing/rejection';
import { createEmptyDatabase, type TestDatabase } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { AppError } from '../errors/app-error.ts';
import { createMetrics } from '../metrics/metrics.ts';
import {
  connectDatabase,
  createInTransaction,
  type Database,
  type DatabasePool,
  onCommit,
  query,
  registerDatabaseMetrics,
} from './database.ts';
import { isUniqueViolation } from './database-errors.ts';

const transact = <Result>({ database }: DatabasePool, work: (transaction: Database) => Promise<Result>) =>
  createInTransaction(database, (transaction) => transaction)(work);

describe('Database', () => {
  let own: TestDatabase;
  let pool: DatabasePool;
  const connect = (url: string) =>
    connectDatabase({ url, applicationName: 'test', maxConnections: 3, onError: () => undefined });

  before(async () => {
    own = await createEmptyDatabase();
    await queryDatabase(
      own.url,
      'create table counters (name text constraint counters_name_key primary key, number_of_hits int not null)',
    );
    pool = connect(own.url);
  });
  after(async () => {
    await pool.close();
    await own.drop();
  });

  const add = (database: Database, name: string) =>
    query(database, { name: 'add', text: 'insert into counters values ($1, 0)', values: [name] });
  const names = async (): Promise<string[]> => await pool.database('counters').orderBy('name').pluck('name');

  it('returns camelCase columns from prepared and built queries', async () => {
    await add(pool.database, 'camel');
    const statement = { name: 'one', text: 'select * from counters where name = $1', values: ['camel'] };
    const built = pool.database('counters').where({ name: 'camel' });
    for (const rows of [await query(pool.database, statement), await built])
      expect(rows).to.deep.equal([{ name: 'camel', numberOfHits: 0 }]);
  });

  it('answers 503 when Postgres rejects the connection, whatever the reason', async () => {
    const url = new URL(own.url);
    url.username = 'nobody';
    const rejected = connect(url.href);
    const error = await getRejection(add(rejected.database, 'never'));
    await rejected.close();
    expect(error).to.be.instanceOf(AppError).with.property('status', 503);
  });

  it('fails its check of the clock from a difference of 5 s on', async () => {
    await pool.checkClock();
    const now = Date.now.bind(Date);
    const clock = mock.method(Date, 'now', () => now() + 6_000);
    try {
      expect(await getRejection(pool.checkClock())).to.match(
        /The clock differs from that of Postgres by [56]/,
      );
    } finally {
      clock.mock.restore();
    }
  });

  it('exports the difference between the clocks of the process and of Postgres', async () => {
    const metrics = createMetrics('test');
    registerDatabaseMetrics(metrics, pool);
    const readDifference = async () =>
      Number(/^clock_difference_seconds\S* (\S+)$/m.exec(await metrics.render())?.[1]);
    expect(await readDifference()).to.be.within(-0.5, 0.5);
    mock.timers.enable({ apis: ['Date'], now: Date.now() - 40_000 });
    try {
      expect(await readDifference()).to.be.within(-40.5, -39.5);
    } finally {
      mock.timers.reset();
    }
  });

  it('closes the connection of a query that exceeds its own timeout', async () => {
    const slow = { name: 'slow', text: 'select pg_sleep(5)', values: [], timeoutMilliseconds: 100 };
    expect(await getRejection(query(pool.database, slow))).to.have.property('status', 503);
    await pool.ping();
  });

  it('makes Postgres cancel a query that exceeds its own timeout', async () => {
    const text = 'select pg_sleep(600) as canceled';
    const failure = transact(pool, async (transaction) => {
      // Otherwise Postgres itself would end the query.
      await query(transaction, { name: 'unlimited', text: 'set local statement_timeout = 0', values: [] });
      await query(transaction, { name: 'slow', text, values: [], timeoutMilliseconds: 100 });
    });
    expect(await getRejection(failure)).to.have.property('status', 503);
    await waitFor('the query has ended', async () => {
      const running = 'select 1 from pg_stat_activity where query = $1';
      return (await queryDatabase(own.url, running, [text])).length === 0;
    });
  });

  it('cancels a commit that waits for a standby, but not that of work that must reach it', async () => {
    const setStandby = async (value: string) => {
      await queryDatabase(own.url, `alter system set synchronous_standby_names = ${value}`);
      await queryDatabase(own.url, 'select pg_reload_conf()');
      await waitFor('the setting', async () => {
        const [row] = await queryDatabase<{ isSet: boolean }>(
          own.url,
          `select current_setting('synchronous_standby_names') = ${value} as "isSet"`,
        );
        return row?.isSet;
      });
    };
    const addInTransaction = (name: string, awaitsStandby: boolean) =>
      transact(pool, (transaction) =>
        query(transaction, {
          name: 'add',
          text: 'insert into counters values ($1, 0)',
          values: [name],
          awaitsStandby,
        }),
      );
    await setStandby("'nobody'");
    try {
      const failures = [addInTransaction('canceled', false), addInTransaction('waiting', true)];
      for (const failure of failures) expect(await getRejection(failure)).to.have.property('status', 503);
      await waitFor('the cancelled commit is visible', async () => (await names()).includes('canceled'));
      expect(await names()).not.to.include('waiting');
    } finally {
      await setStandby("''");
    }
    await waitFor('the other commit is visible', async () => (await names()).includes('waiting'));
  });

  it('commits a transaction completely or not at all', async () => {
    await transact(pool, async (transaction) => {
      await add(transaction, 'kept 1');
      await add(transaction, 'kept 2');
    });
    const failure = await getRejection(
      transact(pool, async (transaction) => {
        await add(transaction, 'lost');
        throw new Error('changed my mind');
      }),
    );
    expect(failure).to.have.property('message', 'changed my mind');
    expect(await names())
      .to.include.members(['kept 1', 'kept 2'])
      .and.not.to.include('lost');
  });

  it('runs the work of onCommit once, after the commit and not after a rollback', async () => {
    const events: string[] = [];
    const inTransaction = createInTransaction(pool.database, (transaction) => ({
      add: (name: string) => add(transaction, name),
      record: (event: string) => onCommit(transaction, () => void events.push(event)),
    }));
    let attempts = 0;
    await inTransaction(async ({ add, record }) => {
      attempts += 1;
      await add('recorded');
      record(`attempt ${attempts}`);
      expect(events).to.deep.equal([]);
      if (attempts === 1) throw Object.assign(new Error('serialization failure'), { code: '40001' });
    });
    expect(events).to.deep.equal(['attempt 2']);
    const failure = inTransaction(async ({ record }) => {
      record('rolled back');
      throw new Error('changed my mind');
    });
    expect(await getRejection(failure)).to.have.property('message', 'changed my mind');
    expect(events).to.deep.equal(['attempt 2']);
  });

  it('closes an idle connection after three minutes, not between two bursts of requests', async () => {
    mock.timers.enable({ apis: ['setInterval', 'Date'] });
    const idle = connect(own.url);
    try {
      await query(idle.database, { name: 'one', text: 'select 1', values: [] });
      mock.timers.tick(170_000);
      await setImmediate();
      expect(idle.stats().total).to.equal(1);
      mock.timers.tick(20_000);
      await setImmediate();
      expect(idle.stats().total).to.equal(0);
    } finally {
      mock.timers.reset();
      await idle.close();
    }
  });

  it('plans statements once with forceGenericPlans', async () => {
    const text = "select current_setting('plan_cache_mode') as mode";
    const readMode = (database: Database) => query(database, { name: 'mode', text, values: [] });
    const options = { url: own.url, applicationName: 'test', maxConnections: 3, onError: () => undefined };
    const planned = connectDatabase({ ...options, forceGenericPlans: true });
    expect(await readMode(planned.database)).to.deep.equal([{ mode: 'force_generic_plan' }]);
    expect(planned.stats()).to.deep.equal({ max: 3, total: 1, idle: 1, waiting: 0 });
    await planned.close();
    expect(await readMode(pool.database)).to.deep.equal([{ mode: 'auto' }]);
  });

  it('identifies a unique violation by its constraint', async () => {
    await add(pool.database, 'twice');
    const failure = await getRejection(add(pool.database, 'twice'));
    expect(isUniqueViolation(failure, 'counters_name_key')).to.equal(true);
    expect(isUniqueViolation(failure, 'another_key')).to.equal(false);
    expect(isUniqueViolation(new Error('counters_name_key'), 'counters_name_key')).to.equal(false);
  });

  for (const [code, what] of [
    ['40001', 'a serialization failure'],
    ['40P01', 'a deadlock'],
  ])
    it(`runs a transaction up to three times after ${what}`, async () => {
      const raise = `do $$ begin raise exception 'again' using errcode = '${code}'; end $$`;
      let attempts = 0;
      const failUntil = (last: number) =>
        transact(pool, async (transaction) => {
          attempts += 1;
          await add(transaction, `${code} until ${last}`);
          if (attempts < last) await query(transaction, { name: `raise ${code}`, text: raise, values: [] });
        });
      await failUntil(3);
      expect(await names()).to.include(`${code} until 3`);
      attempts = 0;
      expect(await getRejection(failUntil(4))).to.have.property('code', code);
      expect(attempts).to.equal(3);
      expect(await names()).not.to.include(`${code} until 4`);
    });

  it('maps a refused connection to 503, for statements and transactions', async () => {
    const nowhere = new URL(own.url);
    nowhere.port = '1';
    const away = connect(nowhere.href);
    for (const work of [add(away.database, 'x'), transact(away, (transaction) => add(transaction, 'x'))]) {
      const failure = await getRejection(work);
      expect(failure).to.be.instanceOf(AppError).and.include({ status: 503, code: 'SERVICE_UNAVAILABLE' });
      expect(failure.cause).to.be.an('error');
    }
    await getRejection(away.ping());
    await away.close();
  });

  for (const code of ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN'])
    it(`maps ${code} to 503`, async () => {
      const lost = Object.assign(new Error(`connect ${code} 192.0.2.1:5432`), { code });
      const failure = await getRejection(transact(pool, () => Promise.reject(lost)));
      expect(failure).to.be.instanceOf(AppError).and.include({ status: 503, cause: lost });
    });

  it('replaces a connection that is lost during a transaction', async () => {
    const failure = await getRejection(
      transact(pool, async (transaction) => {
        const statement = { name: 'backend', text: 'select pg_backend_pid() as pid', values: [] };
        const [backend] = await query<{ pid: number }>(transaction, statement);
        await queryDatabase(own.url, 'select pg_terminate_backend($1, 5000)', [backend?.pid]);
        // No statement is in progress when the error arrives, as if the work were waiting for something else.
        await setImmediate();
        await add(transaction, 'after the break');
      }),
    );
    expect(failure).to.include({ status: 503 });
    await add(pool.database, 'on a new connection');
    expect(await names())
      .to.include('on a new connection')
      .and.not.to.include('after the break');
  });

  it('releases every connection, also after an error', async () => {
    for (let round = 0; round < 10; round += 1) {
      await getRejection(query(pool.database, { name: `bad-${round}`, text: 'select broken', values: [] }));
      await getRejection(transact(pool, (transaction) => add(transaction, 'camel')));
    }
    const { total, idle, waiting } = pool.stats();
    expect({ busy: total - idle, waiting }).to.deep.equal({ busy: 0, waiting: 0 });
  });

  it('waits for an open connection when Postgres accepts no other', async () => {
    const allow = (value: boolean) =>
      queryDatabase(
        new URL('/postgres', own.url).href,
        `alter database ${new URL(own.url).pathname.slice(1)} allow_connections ${value}`,
      );
    const single = connect(own.url);
    const enough = Promise.withResolvers<void>();
    try {
      await single.ping();
      const busy = transact(single, () => enough.promise);
      await allow(false);
      const waiting = add(single.database, 'in turn');
      await delay(100);
      enough.resolve();
      await Promise.all([busy, waiting]);
    } finally {
      await allow(true);
      await single.close();
    }
  });

  it('waits at most two seconds for a connection', async () => {
    const enough = Promise.withResolvers<void>();
    const busy = Array.from({ length: 3 }, () => transact(pool, () => enough.promise));
    const failure = await getRejection(add(pool.database, 'patient'));
    expect(failure).to.include({ status: 503 });
    enough.resolve();
    await Promise.all(busy);
    await add(pool.database, 'served');
  });
});
