import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { getRejection } from '@platform/shared/testing/rejection';
import { expect } from 'chai';
import pg from 'pg';
import { reservePorts } from '../ports.ts';
import type { SupervisedProcess } from '../supervisor.ts';
import { useTemporaryDirectory } from '../testing/temporary-directory.ts';
import { startPostgres } from './postgres.ts';
import { startValkey } from './valkey.ts';

const host = '127.0.0.1';

const findPort = async (): Promise<number> => {
  const { any } = await reservePorts({ any: { port: 0, host } });
  await any.release();
  return any.port;
};

describe('embedded Valkey', () => {
  let server: SupervisedProcess | undefined;
  const directory = useTemporaryDirectory(async () => server?.stop());

  it('responds to single commands without delay', async () => {
    const port = await findPort();
    server = await startValkey({ port, logFile: join(directory.path, 'valkey.log') });
    const socket = connect(port, host);
    const milliseconds: number[] = [];
    for (let count = 0; count < 50; count += 1) {
      const began = performance.now();
      socket.write('PING\r\n');
      await once(socket, 'data');
      milliseconds.push(performance.now() - began);
    }
    socket.destroy();
    // With one engine step per wake-up, each command would wait for a timer of 100 ms. A busy machine delays
    // only some commands.
    expect(Math.min(...milliseconds)).to.be.below(50);
  });

  it('reports a port that is in use', async () => {
    const port = await findPort();
    const taken = createServer().listen(port, host);
    await once(taken, 'listening');
    const { message } = await getRejection(startValkey({ port, logFile: join(directory.path, 'taken.log') }));
    taken.close();
    expect(message)
      .to.include('valkey did not start (exit code 1)')
      .and.include(`port ${port} on ${host} cannot be bound`);
  });
});

describe('embedded PostgreSQL', () => {
  let server: (SupervisedProcess & { url: string }) | undefined;
  const directory = useTemporaryDirectory(async () => server?.stop());

  const start = async () => {
    const options = { dataDir: directory.path, logFile: join(directory.path, 'postgres.log') };
    server = await startPostgres({ ...options, port: await findPort(), settings: { fsync: 'off' } });
    return server.url;
  };
  const query = async (url: string, statement: string) => {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return (await client.query({ text: statement, rowMode: 'array' })).rows.flat();
    } finally {
      await client.end();
    }
  };

  it('folds the case of Unicode and has the required extensions', async () => {
    const url = await start();
    expect(await query(url, "select lower('ÄŽΣ'), 'ÅSA' ilike 'åsa'")).to.deep.equal(['äžσ', true]);
    const names = "('citext', 'pg_trgm', 'pgcrypto')";
    expect(
      await query(url, `select count(*)::int from pg_available_extensions where name in ${names}`),
    ).to.deep.equal([3]);
    expect(await query(url, 'show fsync')).to.deep.equal(['off']);
  });

  it('rejects a wrong password', async () => {
    const url = new URL(server?.url ?? '');
    url.password = 'wrong';
    expect((await getRejection(query(url.href, 'select 1'))).message).to.match(
      /password authentication failed/,
    );
  });

  it('explains what to do if the password is lost', async () => {
    await server?.stop();
    rmSync(join(directory.path, 'secrets.json'));
    expect((await getRejection(start())).message)
      .to.include('secrets.json')
      .and.include('start again without data');
  });
});
