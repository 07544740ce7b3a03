import {
  createInterruptibleProxy,
  type InterruptibleProxy,
} from '@platform/shared/testing/interruptible-proxy';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { getRejection } from '@platform/shared/testing/rejection';
import { createEmptyDatabase, type TestDatabase } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { AppError } from '../errors/app-error.ts';
import { createConnector } from './connect.ts';
import { connectDatabase, type DatabasePool, query } from './database.ts';

describe('database with several servers', () => {
  let own: TestDatabase;
  let servers: InterruptibleProxy[];
  let pool: DatabasePool | undefined;
  before(async () => {
    own = await createEmptyDatabase();
  });
  after(() => own.drop());
  beforeEach(async () => {
    servers = [await createInterruptibleProxy(own.url), await createInterruptibleProxy(own.url)];
  });
  afterEach(async () => {
    await pool?.close();
    await Promise.all(servers.map((server) => server.close()));
  });

  const connect = (target: string): DatabasePool => {
    const url = new URL(own.url);
    const hosts = servers.map((server) => new URL(server.url).host).join(',');
    const login = `${url.username}:${url.password}`;
    pool = connectDatabase({
      url: `postgres://${login}@${hosts}${url.pathname}?target_session_attrs=${target}`,
      applicationName: 'test',
      maxConnections: 2,
      onError: () => undefined,
    });
    return pool;
  };
  const select = ({ database }: DatabasePool) =>
    query(database, { name: 'value', text: 'select 1 as value', values: [] });
  const expectFound = async (database: DatabasePool): Promise<void> => {
    expect(await select(database)).to.deep.equal([{ value: 1 }]);
  };

  it('connects to the next server when the first one is down', async () => {
    await servers[0]?.cut();
    await expectFound(connect('read-write'));
  });

  it('connects to the next server when the first one is frozen, before the connection timeout', async () => {
    servers[0]?.freeze();
    await expectFound(connect('read-write'));
  });

  it('rejects a connection to a server that freezes before its session is known', async () => {
    const [server] = servers;
    server?.freezeAt('pg_is_in_recovery');
    const { connect: open } = createConnector(`${server?.url}?target_session_attrs=read-write`, {});
    const error = await getRejection(open());
    expect(error).to.have.property('message', 'Query read timeout');
  });

  it('closes connections to a frozen server once another one is the primary, before the response timeout', async () => {
    const database = connect('read-write');
    await expectFound(database);
    const slow = query(database.database, { name: 'slow', text: 'select pg_sleep(60)', values: [] });
    servers[0]?.freeze();
    const failure = await getRejection(slow);
    expect(failure).to.include({ status: 503 });
    expect(failure.cause).to.have.property('message').that.includes('Connection terminated');
    await expectFound(database);
  });

  it('prefers the server of the last connection', async () => {
    await servers[0]?.cut();
    const database = connect('read-write');
    await expectFound(database);
    await servers[0]?.restore();
    servers[0]?.freeze();
    await servers[1]?.cut();
    await servers[1]?.restore();
    // The lost connection is replaced by one to the same server, without a wait for the frozen one.
    await select(database).catch(() => undefined);
    await expectFound(database);
  });

  it('returns 503 naming every server when none is suitable', async () => {
    await servers[1]?.cut();
    const failure = await getRejection(select(connect('standby')));
    expect(failure).to.be.instanceOf(AppError).and.include({ status: 503 });
    const { message } = failure.cause as Error;
    expect(message).to.include('The server is not standby').and.include('ECONNREFUSED');
  });

  it('finds a server by the access that target_session_attrs requires', async () => {
    for (const target of ['any', 'read-write', 'primary', 'prefer-standby']) {
      await expectFound(connect(target));
      await pool?.close();
    }
    const name = new URL(own.url).pathname.slice(1);
    await queryDatabase(own.url, `alter database ${name} set default_transaction_read_only = on`);
    await expectFound(connect('read-only'));
    await pool?.close();
    expect(await getRejection(select(connect('read-write')))).to.include({ status: 503 });
    await queryDatabase(
      own.url,
      `set transaction read write; alter database ${name} set default_transaction_read_only = off`,
    );
  });
});
