import { queryDatabase } from '@platform/shared/testing/query-database';
import { createEmptyDatabase, type TestDatabase } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { connectDatabase, createInTransaction, type Database, type DatabasePool, query } from './database.ts';

const CONNECTIONS = 3;

describe('Database after a column was retyped', () => {
  let own: TestDatabase;
  let pool: DatabasePool;
  before(async () => {
    own = await createEmptyDatabase();
    await queryDatabase(own.url, 'create table names (name text)');
    await queryDatabase(own.url, "insert into names values ('Ada')");
    pool = connectDatabase({
      ...{ url: own.url, applicationName: 'test', maxConnections: CONNECTIONS, onError: () => undefined },
    });
  });
  after(async () => {
    await pool.close();
    await own.drop();
  });

  const inTransaction = <Result>(work: (transaction: Database) => Promise<Result>) =>
    createInTransaction(pool.database, (transaction) => transaction)(work);
  const readNames = (database: Database) =>
    query(database, { name: 'names', text: 'select name from names', values: [] });
  const readBackend = async (database: Database): Promise<number | undefined> => {
    const statement = { name: 'backend', text: 'select pg_backend_pid() as pid', values: [] };
    return (await query<{ pid: number }>(database, statement))[0]?.pid;
  };

  /** Prepares the statement on every connection, and then changes the type that it returns. */
  const retype = async (type: string) => {
    const all = Promise.withResolvers<void>();
    let prepared = 0;
    const backends = await Promise.all(
      Array.from({ length: CONNECTIONS }, () =>
        inTransaction(async (transaction) => {
          await readNames(transaction);
          prepared += 1;
          if (prepared === CONNECTIONS) all.resolve();
          await all.promise;
          return await readBackend(transaction);
        }),
      ),
    );
    await queryDatabase(own.url, `alter table names alter column name type ${type}`);
    return backends;
  };

  it('repeats a statement on a new connection, and no other statement fails', async () => {
    const backends = await retype('varchar(100)');
    expect(await readNames(pool.database)).to.deep.equal([{ name: 'Ada' }]);
    expect(backends).not.to.include(await readBackend(pool.database));
    const others = Array.from({ length: CONNECTIONS }, () => inTransaction(readNames));
    expect(await Promise.all(others)).to.deep.equal(others.map(() => [{ name: 'Ada' }]));
  });

  it('repeats a transaction once on a new connection', async () => {
    const backends = await retype('text');
    let attempts = 0;
    const backend = await inTransaction(async (transaction) => {
      attempts += 1;
      await query(transaction, { name: 'add', text: "insert into names values ('Eve')", values: [] });
      await readNames(transaction);
      return await readBackend(transaction);
    });
    expect([attempts, backends.includes(backend)]).to.deep.equal([2, false]);
    expect(await readNames(pool.database)).to.deep.equal([{ name: 'Ada' }, { name: 'Eve' }]);
  });
});
