import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { waitFor } from '@platform/shared/testing/poll';
import type { NodeProcess } from '@platform/shared/testing/process';
import {
  readStackFile,
  type StackFile,
  spawnStack as spawn,
  waitUntilReady,
} from '@platform/shared/testing/stack';
import { expect } from 'chai';
import pg from 'pg';
import { answersOk } from './probes.ts';
import { isAlive } from './process-identity.ts';
import { killStackProcesses, listStackProcesses } from './testing/stack-processes.ts';
import { useTemporaryDirectory } from './testing/temporary-directory.ts';

const query = async (databaseUrl: string, statement: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query({ text: statement, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
};

/** Without the people of the demo content. */
const listUsers = (databaseUrl: string) =>
  query(databaseUrl, "select email from users where email not like '%@example.net' order by email");
const listeningOn = (port: number): Promise<Server> =>
  new Promise((resolve) => {
    const server: Server = createServer().listen(port, '127.0.0.1', () => resolve(server));
  });
const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
};

/** With demo data, in a process group as in a terminal. */
const spawnStack = (dataDir: string, environment: Record<string, string> = {}): NodeProcess =>
  spawn(dataDir, { SEED_DEMO: '', ...environment }, { detached: true });

const startStack = async (dataDir: string): Promise<NodeProcess & { description: StackFile }> => {
  const stack = spawnStack(dataDir);
  return { ...stack, description: await waitUntilReady(dataDir, stack) };
};

const demo = ['admin', 'arbiter', 'customer', 'employee', 'operator'].map((name) => `${name}@example.com`);

// One directory, one story after the other: each start is also the check of how the one before has ended.
describe('The development stack', () => {
  const directory = useTemporaryDirectory(killStackProcesses);
  let dataDir: string;
  let stack: Awaited<ReturnType<typeof startStack>>;
  let secrets: string;

  before(async () => {
    dataDir = directory.path;
    stack = await startStack(dataDir);
    secrets = readFileSync(join(dataDir, 'secrets.json'), 'utf8');
  }).timeout(60_000);

  it('When it is ready, then stack.json names every address and a living process for each part', async () => {
    const { pids, opsUrls, gatewayUrl, inboxUrl, databaseUrl } = stack.description;
    expect(pids).to.have.all.keys(
      ...['stack', 'gateway', 'auth', 'admin', 'worker', 'postgres', 'redis', 'inbox'],
    );
    expect(pids.stack).to.equal(stack.pid);
    for (const pid of Object.values(pids)) expect(isAlive(pid ?? 0)).to.equal(true);
    const urls = [`${inboxUrl}/readyz`, ...Object.values(opsUrls).map((url) => `${url}/readyz`)];
    expect(await Promise.all(urls.map(answersOk))).to.not.include(false);
    expect(stack.output()).to.include(gatewayUrl).and.include(inboxUrl);
    expect(await listUsers(databaseUrl)).to.deep.equal(demo);
  });

  it('When a second one is started on the same data, then it is refused by name, and the first goes on', async () => {
    const second = spawnStack(dataDir);
    expect(await second.waitForExit()).to.include({ code: 1, signal: null });
    expect(second.output()).to.include(`process ${stack.pid}`);
    expect(await readStackFile(dataDir)).to.deep.equal(stack.description);
    expect(await answersOk(`${stack.description.opsUrls.gateway}/readyz`)).to.equal(true);
  }).timeout(10_000);

  it('When a service, an engine and the database are killed, then each comes back on its port', async () => {
    const { pids } = stack.description;
    const killed = ['auth', 'redis', 'postgres', 'inbox'] as const;
    for (const key of killed) process.kill(pids[key] ?? 0, 'SIGKILL');
    const areBack = async () => {
      const now = (await readStackFile(dataDir).catch(() => undefined))?.pids;
      return killed.every((key) => now?.[key] && now[key] !== pids[key]);
    };
    await waitFor('stack.json has the new processes', areBack, 20);
    expect(await listUsers(stack.description.databaseUrl)).to.deep.equal(demo);
    expect(stack.output()).to.match(/auth-service ended unexpectedly \(ended by SIGKILL\)/);
    expect(stack.output()).to.match(/postgres is back/);
  }).timeout(25_000);

  it('When Ctrl-C is pressed, then all of it stops, and stack.json goes', async () => {
    process.kill(-stack.pid, 'SIGINT'); // the whole process group, as a terminal does
    expect(await stack.waitForExit()).to.include({ code: 0, signal: null });
    expect(listStackProcesses(dataDir)).to.deep.equal([]);
    expect(existsSync(join(dataDir, 'stack.json'))).to.equal(false);
  }).timeout(15_000);

  it('When it is started again, then the data and the secrets are the same', async () => {
    stack = await startStack(dataDir);
    expect(await listUsers(stack.description.databaseUrl)).to.deep.equal(demo);
    expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).to.equal(secrets);
  }).timeout(30_000);

  it('When its own process is killed with -9, then its children go, and the next start works', async () => {
    await query(
      stack.description.databaseUrl,
      "insert into users (email, password_hash) values ('a@b.c', '-')",
    );
    process.kill(stack.pid, 'SIGKILL');
    await waitFor('the orphans are gone', () => listStackProcesses(dataDir).length === 0, 10);
    stack = await startStack(dataDir);
    expect(await listUsers(stack.description.databaseUrl)).to.deep.equal(['a@b.c', ...demo]);
  }).timeout(40_000);

  it('When the whole tree is killed with -9, then the next start works, and nothing acknowledged is lost', async () => {
    await query(
      stack.description.databaseUrl,
      "insert into users (email, password_hash) values ('d@e.f', '-')",
    );
    for (const pid of Object.values(stack.description.pids)) process.kill(pid ?? 0, 'SIGKILL');
    stack = await startStack(dataDir);
    expect(await listUsers(stack.description.databaseUrl)).to.include.members(['a@b.c', 'd@e.f']);
  }).timeout(40_000);

  it('When the data are those of a release without database logins, then the start makes one for each process', async () => {
    const { databaseUrl } = stack.description;
    for (const text of ['drop owned by', 'drop role'])
      await query(databaseUrl, `${text} platform_auth, platform_admin, platform_worker`);
    process.kill(stack.pid, 'SIGTERM');
    await stack.waitForExit();
    const {
      AUTH_DATABASE_PASSWORD: _auth,
      WORKER_DATABASE_PASSWORD: _worker,
      ...older
    } = JSON.parse(secrets);
    writeFileSync(join(dataDir, 'secrets.json'), JSON.stringify(older));
    stack = await startStack(dataDir);
    const { databaseUrls } = stack.description;
    expect(await query(databaseUrls.auth, 'select current_user')).to.deep.equal(['auth_service']);
    expect(await query(databaseUrls.worker, 'select current_user')).to.deep.equal(['mailer_worker']);
    expect(await listUsers(stack.description.databaseUrl)).to.include.members(demo);
  }).timeout(40_000);

  it('When it gets SIGTERM, then no process is left', async () => {
    process.kill(stack.pid, 'SIGTERM');
    expect(await stack.waitForExit()).to.include({ code: 0, signal: null });
    expect(listStackProcesses(dataDir)).to.deep.equal([]);
  }).timeout(15_000);
});

describe('The start of the development stack', () => {
  const directory = useTemporaryDirectory(killStackProcesses);
  let dataDir: string;

  before(() => {
    dataDir = directory.path;
  });

  it('When ports are taken, then one message names each and its variable, and nothing is started', async () => {
    const taken = await Promise.all([listeningOn(0), listeningOn(0)]);
    const [gateway, inbox] = taken.map(portOf);
    const stack = spawnStack(dataDir, { GATEWAY_PORT: String(gateway), INBOX_PORT: String(inbox) });
    const exit = await stack.waitForExit();
    for (const server of taken) server.close();
    expect(exit).to.include({ code: 1, signal: null });
    expect(stack.output())
      .to.include(`Port ${gateway} (GATEWAY_PORT)`)
      .and.include(`Port ${inbox} (INBOX_PORT)`);
    expect(existsSync(join(dataDir, 'postgres'))).to.equal(false);
  }).timeout(10_000);

  it('When it is interrupted half-way, then it ends cleanly, with no process left', async () => {
    const stack = spawnStack(dataDir);
    await waitFor('something runs', () => existsSync(join(dataDir, 'logs', 'valkey.log')));
    process.kill(stack.pid, 'SIGTERM');
    expect(await stack.waitForExit()).to.include({ code: 0, signal: null });
    expect(listStackProcesses(dataDir)).to.deep.equal([]);
  }).timeout(20_000);

  it('When two start at the same instant, then exactly one of them wins', async () => {
    const both = [spawnStack(dataDir), spawnStack(dataDir)];
    const loser = await Promise.race(
      both.map(({ waitForExit }, index) => waitForExit(30).then(({ code }) => ({ index, code }))),
    );
    expect(loser.code).to.equal(1);
    const winner = both[1 - loser.index];
    await waitFor('the other is ready', () => winner?.output().includes('is ready') ?? false, 30);
    expect(both[loser.index]?.output()).to.include(`process ${winner?.pid}`);
    process.kill(winner?.pid ?? 0, 'SIGTERM');
    expect(await winner?.waitForExit()).to.include({ code: 0 });
  }).timeout(40_000);
});
