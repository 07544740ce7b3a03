import { holdLock } from '@platform/shared/testing/hold-lock';
import {
  createInterruptibleProxy,
  type InterruptibleProxy,
} from '@platform/shared/testing/interruptible-proxy';
import { waitFor } from '@platform/shared/testing/poll';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { getRejection } from '@platform/shared/testing/rejection';
import { createEmptyDatabase, type TestDatabase } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { AppError } from '../errors/app-error.ts';
import { connectDatabase, createInTransaction, type Database, type DatabasePool, query } from './database.ts';

const MAX_CONNECTIONS = 4;

const run = <Row>(database: Database, text: string, values: unknown[] = []): Promise<Row[]> =>
  query<Row>(database, { name: text, text, values });

type Failure = { cause: { code?: string; message: string }; milliseconds: number };

/** Fails unless the work ends with 503. Resolves with the cause. */
const expectUnavailable = async (work: Promise<unknown> | undefined): Promise<Failure> => {
  const started = performance.now();
  const failure = await getRejection(Promise.resolve(work));
  expect(failure).to.be.instanceOf(AppError).and.include({ status: 503 });
  return {
    cause: failure.cause as Failure['cause'],
    milliseconds: performance.now() - started,
  };
};

const transact = <Result>({ database }: DatabasePool, work: (transaction: Database) => Promise<Result>) =>
  createInTransaction(database, (transaction) => transaction)(work);

describe('database pool timeouts', () => {
  let own: TestDatabase;
  let proxy: InterruptibleProxy;
  let pool: DatabasePool;
  before(async () => {
    own = await createEmptyDatabase();
    await queryDatabase(own.url, 'create table counters (name text primary key)');
  });
  after(() => own.drop());
  beforeEach(async () => {
    proxy = await createInterruptibleProxy(own.url);
    pool = connectDatabase({
      url: proxy.url,
      applicationName: 'test',
      maxConnections: MAX_CONNECTIONS,
      onError: () => undefined,
    });
  });
  afterEach(async () => {
    await proxy.restore();
    await pool.close();
    await proxy.close();
  });

  const readCounters = (database: Database) => run(database, 'select name from counters');
  /**
   * Opens four connections before Postgres freezes: two idle ones, and two in transactions that continue with
   * `next`.
   */
  const freezeDuring = async (...next: ((database: Database) => Promise<unknown>)[]) => {
    const begun = next.map(() => Promise.withResolvers<void>());
    const frozen = Promise.withResolvers<void>();
    const transactions = next.map((goOn, index) =>
      transact(pool, async (database) => {
        await run(database, 'insert into counters values ($1)', [`transaction ${index}`]);
        begun[index]?.resolve();
        await frozen.promise;
        await goOn(database);
      }),
    );
    await Promise.all(begun.map(({ promise }) => promise));
    await Promise.all([run(pool.database, 'select 1'), run(pool.database, 'select 1')]);
    await waitFor('two connections are idle', () => pool.stats().idle === 2);
    proxy.freeze();
    frozen.resolve();
    return transactions;
  };

  it('rejects queries to a frozen Postgres after 6 s and closes all connections', async () => {
    const [timedOut, changedMind] = await freezeDuring(
      (database) => run(database, 'select 2'),
      () => Promise.reject(new Error('changed my mind')),
    );
    const [failures, message] = await Promise.all([
      Promise.all([expectUnavailable(timedOut), expectUnavailable(run(pool.database, 'select 2'))]),
      changedMind?.catch((error: Error) => error.message),
    ]);
    for (const { cause, milliseconds } of failures) {
      expect(cause.message).to.equal('Query read timeout');
      // No rollback follows, which would take another 6 s.
      expect(milliseconds).to.be.at.least(5_900);
    }
    expect(message).to.equal('changed my mind');
    // Idle connections are closed too, because their next queries would time out. Responses may still arrive,
    // including that of the failed rollback.
    expect(pool.stats()).to.include({ total: 0, waiting: 0 });
    await proxy.restore();
    expect(await run(pool.database, 'select 3 as value')).to.deep.equal([{ value: 3 }]);
    await waitFor('both transactions are rolled back', async () => {
      const count = 'select count(*)::int as count from counters';
      const [row] = await queryDatabase<{ count: number }>(own.url, count);
      return row?.count === 0;
    });
  });

  it('rejects a new connection to a frozen Postgres after 2 s', async () => {
    proxy.freeze();
    const { milliseconds } = await expectUnavailable(run(pool.database, 'select 1'));
    expect(milliseconds).to.be.at.least(1_900);
    expect(pool.stats()).to.include({ total: 0, waiting: 0 });
  });

  it('rejects at once when twenty queries wait per connection', async () => {
    const enough = Promise.withResolvers<void>();
    const busy = Array.from({ length: MAX_CONNECTIONS }, () => transact(pool, () => enough.promise));
    await waitFor('every connection is in use', async () => {
      const { total, idle } = pool.stats();
      return total - idle === MAX_CONNECTIONS;
    });
    const waiting = Array.from({ length: MAX_CONNECTIONS * 20 }, () => run(pool.database, 'select 1'));
    for (const rejected of [run(pool.database, 'select 1'), transact(pool, readCounters)]) {
      expect(await getRejection(rejected))
        .to.be.instanceOf(AppError)
        .and.include({ status: 503, message: 'Database overloaded; retry later.' });
    }
    expect(pool.stats().waiting).to.equal(MAX_CONNECTIONS * 20);
    enough.resolve();
    await Promise.all([...busy, ...waiting]);
  });

  it('makes Postgres end a statement after 5 s, a lock wait after 2 s, an idle transaction after 10 s', async () => {
    const lock = await holdLock(own.url, 'lock table counters in access exclusive mode');
    const idle = transact(pool, async (database) => {
      const [backend] = await run<{ pid: number }>(database, 'select pg_backend_pid() as pid');
      const select = 'select 1 from pg_stat_activity where pid = $1';
      const isGone = async () => (await queryDatabase(own.url, select, [backend?.pid])).length === 0;
      await waitFor('the idle transaction is ended', isGone);
      await run(database, 'select 1');
    });
    const [statement, waiting] = await Promise.all([
      expectUnavailable(run(pool.database, 'select pg_sleep(8)')),
      expectUnavailable(readCounters(pool.database)).finally(lock.release),
      expectUnavailable(idle),
    ]);
    expect(statement.cause.code).to.equal('57014');
    expect(waiting.cause.code).to.equal('55P03');
  });
});
