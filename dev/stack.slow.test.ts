import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { STACK_SECONDS } from '@platform/shared/async/patience';
import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { waitFor } from '@platform/shared/testing/poll';
import type { NodeProcess } from '@platform/shared/testing/process';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import {
  readStackFile,
  type StackFile,
  spawnStack as spawn,
  waitUntilReady,
} from '@platform/shared/testing/stack';
import { expect } from 'chai';
import { respondsOk } from './ports.ts';
import { isAlive } from './process-identity.ts';
import { DEMO_USERS, listUsers } from './testing/demo-users.ts';
import { killStackProcesses, listStackProcesses } from './testing/stack-processes.ts';
import { useTemporaryDirectory } from './testing/temporary-directory.ts';

const query = async (databaseUrl: string, statement: string): Promise<unknown[]> =>
  (await queryDatabase(databaseUrl, statement)).flatMap(Object.values);

const listenOn = (port: number): Promise<Server> =>
  new Promise((resolve) => {
    const server: Server = createServer().listen(port, '127.0.0.1', () => resolve(server));
  });
const getPort = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
};

/** The stack has demo data and leads a process group, as in a terminal. */
const spawnStack = (dataDir: string, environment: Record<string, string> = {}): NodeProcess =>
  spawn(dataDir, { SEED_DEMO: '', ...environment }, { detached: true });

const startStack = async (dataDir: string): Promise<NodeProcess & { description: StackFile }> => {
  const stack = spawnStack(dataDir);
  return { ...stack, description: await waitUntilReady(dataDir, stack) };
};

// The tests share a data directory and build on each other. Each start also checks how the previous stack
// stopped.
describe('development stack', () => {
  const directory = useTemporaryDirectory(killStackProcesses);
  let dataDir: string;
  let stack: Awaited<ReturnType<typeof startStack>>;
  let secrets: string;

  before(async () => {
    dataDir = directory.path;
    stack = await startStack(dataDir);
    secrets = readFileSync(join(dataDir, 'secrets.json'), 'utf8');
  });

  it('prints each step with its seconds', () => {
    for (const step of [
      'postgres is ready',
      'valkey is ready',
      'The schema is up to date',
      'The demo data is complete',
      'auth-service is ready',
      'gateway is ready',
    ])
      expect(stack.output()).to.match(new RegExp(`${step} \\(\\d+\\.\\d s\\)`));
  });

  it('writes the URLs and process ids to stack.json', async () => {
    const { pids, opsUrls, gatewayUrl, inboxUrl, oidcIssuer, databaseUrl } = stack.description;
    expect(pids).to.have.all.keys(
      ...['stack', 'gateway', 'auth', 'admin', 'worker', 'postgres', 'redis', 'inbox', 'oidc'],
    );
    expect(pids.stack).to.equal(stack.pid);
    for (const pid of Object.values(pids)) expect(isAlive(pid ?? 0)).to.equal(true);
    const configuration = `${oidcIssuer}/.well-known/openid-configuration`;
    const urls = [
      configuration,
      `${oidcIssuer}`,
      `${inboxUrl}/readyz`,
      ...Object.values(opsUrls).map((url) => `${url}/readyz`),
    ];
    expect(await Promise.all(urls.map(respondsOk))).to.not.include(false);
    for (const url of [gatewayUrl, inboxUrl])
      expect(stack.output()).to.include(`http://localhost:${new URL(`${url}`).port}/`);
    const startPage = await fetch(`${gatewayUrl}/`);
    expect(startPage.status).to.equal(200);
    expect(await startPage.text())
      .to.include(`"${inboxUrl}"`)
      .and.include(`"${oidcIssuer}"`)
      .and.include('customer@example.com');
    expect(await listUsers(databaseUrl)).to.deep.equal(DEMO_USERS);
  });

  it('adds events for the demo data', async () => {
    const text = `select (select count(*)::int from users) + (select count(*)::int from projects)
      + (select count(*)::int from teams) - count(distinct subject)::int as missing from events where type like '%.created'`;
    expect(await query(stack.description.databaseUrl, text)).to.deep.equal([0]);
  });

  it('rejects a common password at sign-up as in production, and signs in the demo accounts', async () => {
    const client = createAuthClient(stack.description.gatewayUrl, CUSTOMER);
    const email = uniqueEmail();
    expectError(
      await client.signUp({ body: { email, password: 'Password123' } }),
      400,
      'VALIDATION_FAILED',
      '/body/password',
    );
    expect((await client.signUp({ body: { email, password: PASSWORD } })).status).to.equal(201);
    const demoAccount = { email: 'customer@example.com', password: 'Password123!' };
    expect((await client.signIn({ fingerprint: 'device', body: demoAccount })).status).to.equal(200);
    await query(
      stack.description.databaseUrl,
      `select delete_account(id) from users where email = '${email}'`,
    );
  });

  it('rejects a second stack on the same data directory', async () => {
    const second = spawnStack(dataDir);
    expect(await second.waitForExit()).to.include({ code: 1, signal: null });
    expect(second.output()).to.include(`process ${stack.pid}`);
    expect(await readStackFile(dataDir)).to.deep.equal(stack.description);
    expect(await respondsOk(`${stack.description.opsUrls.gateway}/readyz`)).to.equal(true);
  });

  it('restarts killed services and engines on the same ports', async () => {
    const { pids } = stack.description;
    const killed = ['auth', 'redis', 'postgres', 'inbox'] as const;
    for (const key of killed) process.kill(pids[key] ?? 0, 'SIGKILL');
    const areRestarted = async () => {
      const now = (await readStackFile(dataDir).catch(() => undefined))?.pids;
      return killed.every((key) => now?.[key] && now[key] !== pids[key]);
    };
    await waitFor('stack.json has the new processes', areRestarted);
    expect(await listUsers(stack.description.databaseUrl)).to.deep.equal(DEMO_USERS);
    expect(stack.output()).to.match(/auth-service exited unexpectedly \(signal SIGKILL\)/);
    expect(stack.output()).to.match(/postgres is ready again/);
  });

  it('stops all processes and removes stack.json on Ctrl-C', async () => {
    process.kill(-stack.pid, 'SIGINT'); // the whole process group, as a terminal does
    expect(await stack.waitForExit()).to.include({ code: 0, signal: null });
    expect(listStackProcesses(dataDir)).to.deep.equal([]);
    expect(existsSync(join(dataDir, 'stack.json'))).to.equal(false);
  });

  it('keeps data and secrets after a restart', async () => {
    stack = await startStack(dataDir);
    expect(await listUsers(stack.description.databaseUrl)).to.deep.equal(DEMO_USERS);
    expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).to.equal(secrets);
  });

  it('starts again after kill -9 of the stack, and the children exit', async () => {
    await query(
      stack.description.databaseUrl,
      "insert into users (email, password_hash) values ('a@b.c', '-')",
    );
    process.kill(stack.pid, 'SIGKILL');
    await waitFor('the orphans are gone', () => listStackProcesses(dataDir).length === 0);
    stack = await startStack(dataDir);
    expect(await listUsers(stack.description.databaseUrl)).to.deep.equal(['a@b.c', ...DEMO_USERS]);
  });

  it('keeps all acknowledged data after kill -9 of all processes', async () => {
    await query(
      stack.description.databaseUrl,
      "insert into users (email, password_hash) values ('d@e.f', '-')",
    );
    for (const pid of Object.values(stack.description.pids)) process.kill(pid ?? 0, 'SIGKILL');
    stack = await startStack(dataDir);
    expect(await listUsers(stack.description.databaseUrl)).to.include.members(['a@b.c', 'd@e.f']);
  });

  it('creates missing secrets and database logins', async () => {
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
    expect(await listUsers(stack.description.databaseUrl)).to.include.members(DEMO_USERS);
  });
});

describe('development stack start', () => {
  const directory = useTemporaryDirectory(killStackProcesses);
  let dataDir: string;

  before(() => {
    dataDir = directory.path;
  });

  it('names all ports in use with their variables, and starts nothing', async () => {
    const taken = await Promise.all([listenOn(0), listenOn(0)]);
    const [gateway, inbox] = taken.map(getPort);
    const stack = spawnStack(dataDir, { GATEWAY_PORT: String(gateway), INBOX_PORT: String(inbox) });
    const exit = await stack.waitForExit();
    for (const server of taken) server.close();
    expect(exit).to.include({ code: 1, signal: null });
    expect(stack.output())
      .to.include(`Port ${gateway} (GATEWAY_PORT)`)
      .and.include(`Port ${inbox} (INBOX_PORT)`);
    expect(existsSync(join(dataDir, 'postgres'))).to.equal(false);
  });

  it('lets only one of two concurrent starts succeed', async () => {
    const both = [spawnStack(dataDir), spawnStack(dataDir)];
    const loser = await Promise.race(
      both.map(({ waitForExit }, index) => waitForExit(STACK_SECONDS).then(({ code }) => ({ index, code }))),
    );
    expect(loser.code).to.equal(1);
    const winner = both[1 - loser.index];
    await waitFor('the other is ready', () => winner?.output().includes('The platform is ready') ?? false);
    expect(both[loser.index]?.output()).to.include(`process ${winner?.pid}`);
    process.kill(winner?.pid ?? 0, 'SIGTERM');
    expect(await winner?.waitForExit()).to.include({ code: 0 });
  });
});
