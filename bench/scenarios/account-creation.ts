import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  findReplicationObstacle,
  type ReplicatedPostgres,
  startReplicatedPostgres,
} from '@platform/dev/testing/replicated-postgres';
import { migrateDatabase } from '@platform/migrate/migrate';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { removeData } from '@platform/shared/testing/stack';
import pg from 'pg';
import type { BenchRun } from '../bench-run.ts';
import { describeFailures, type LoadResult, type Request, runClosedLoop } from '../load/load.ts';
import { PLAN } from '../plan.ts';
import { median } from '../statistics.ts';
import { type DelayingProxy, startDelayingProxy } from '../targets/delaying-proxy.ts';
import type { Instance, Platform } from '../targets/platform.ts';
import { type Defer, findPorts } from '../targets/processes.ts';
import { BENCH_PASSWORD, signInRequest } from '../workloads.ts';

// A new account updates the totals of the users' list. Each backend updates one of 16 rows of a total and holds it until its
// commit is acknowledged (docs/adr/0018), so at most 16 accounts are committed at a time. The commit latency is that of a
// synchronous standby, whose confirmations a proxy delays.

/** Of the standby's confirmations, in milliseconds. */
const DELAYS = [0, 20, 50, 100];
const DEFAULT_CONNECTIONS = 10;
const MANY_CONNECTIONS = 48;
const CLIENTS = 64;
/** More than any measured rate. */
const MAX_PER_SECOND = 3_000;

const createEmail = () => `bench-${randomUUID()}@example.com`;

const signUpRequest = (email: string): Request => ({
  method: 'POST',
  path: '/api/v1/customers/auth/sign-up',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ email, password: BENCH_PASSWORD, firstName: 'Bench', lastName: 'Mark' }),
});

type Servers = { postgres: ReplicatedPostgres; proxy: DelayingProxy };

/** A primary and a synchronous standby that connects to it through the proxy. */
const startServers = async (defer: Defer): Promise<Servers> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'platform-bench-'));
  await chmod(dataDir, 0o755);
  defer(() => removeData(dataDir));
  const [primaryPort = 0, standbyPort = 0] = await findPorts(2);
  const postgres = await startReplicatedPostgres({ dataDir, ports: [primaryPort, standbyPort] });
  defer(postgres.stop);
  await migrateDatabase(postgres.primary().url, postgres.urls.processUrls);
  const proxy = await startDelayingProxy(primaryPort, defer);
  const { url } = postgres.standby();
  const [setting] = await queryDatabase<{ primary_conninfo: string }>(url, 'show primary_conninfo');
  const through = setting?.primary_conninfo.replace(/port=\S+/, `port=${proxy.port}`) ?? '';
  await queryDatabase(url, `alter system set primary_conninfo = '${through.replaceAll("'", "''")}'`);
  await queryDatabase(url, 'select pg_reload_conf()');
  return { postgres, proxy };
};

const startAuth = (
  { startInstance }: Platform,
  { postgres }: Servers,
  connections: number,
): Promise<Instance> => {
  const { url } = postgres.primary();
  const { username, password } = new URL(postgres.urls.processUrls.auth.replace(/@[^/]*/, '@localhost'));
  const auth = Object.assign(new URL(url), { username, password }).href;
  const databaseUrls = { auth, admin: auth, worker: auth };
  const variables = {
    // In production, the minimum is 10.
    NODE_ENV: 'test',
    BCRYPT_COST: '4',
    DATABASE_CONNECTIONS: String(connections),
    PASSWORD_QUEUE_LIMIT: '1000',
  };
  return startInstance('auth', { databaseUrl: url, databaseUrls }, variables);
};

/** The median latency of commits in milliseconds, one after the other on one connection until `during` settles. */
const probeCommits = async (url: string, during: Promise<unknown>): Promise<number> => {
  const client = new pg.Client(url);
  await client.connect();
  let isOver = false;
  const ended = during
    .catch(() => undefined)
    .then(() => {
      isOver = true;
    });
  const milliseconds: number[] = [];
  while (!isOver) {
    const started = performance.now();
    // A record in the WAL without a table or a lock.
    await client.query(`select pg_logical_emit_message(true, 'bench', '')`);
    milliseconds.push(performance.now() - started);
  }
  await ended;
  await client.end();
  return median(milliseconds);
};

type Rate = { perSecond: number; commitMilliseconds: number };

const measureRate = async (instance: Instance, requests: Request[], databaseUrl: string): Promise<Rate> => {
  const load = { url: instance.url, connections: CLIENTS, requests };
  const running = runClosedLoop({ ...load, duration: PLAN.creationSeconds });
  const [result, commitMilliseconds]: [LoadResult, number] = await Promise.all([
    running,
    probeCommits(databaseUrl, running),
  ]);
  const failures = describeFailures(result);
  if (failures !== undefined) throw new Error(failures);
  return { perSecond: result.perSecond, commitMilliseconds };
};

/** Commits that are under way at the same time (Little's law). */
const countConcurrent = ({ perSecond, commitMilliseconds }: Rate): number =>
  (perSecond * commitMilliseconds) / 1_000;

const createEmails = (): string[] =>
  Array.from({ length: MAX_PER_SECOND * PLAN.creationSeconds }, createEmail);

type Instances = { few: Instance; many: Instance };

const measureDelay = async ({ few, many }: Instances, { postgres, proxy }: Servers, delay: number) => {
  const { url } = postgres.primary();
  proxy.setDelay(delay);
  const signUp = (instance: Instance) => measureRate(instance, createEmails().map(signUpRequest), url);
  const rows = [
    { name: 'sign-up', connections: DEFAULT_CONNECTIONS, rate: await signUp(few) },
    { name: 'sign-up', connections: MANY_CONNECTIONS, rate: await signUp(many) },
    { name: 'sign-in', connections: MANY_CONNECTIONS, rate: await measureSignIn(many, url) },
  ];
  return rows.map(({ name, connections, rate }) => [
    ...[delay.toString(), name, connections.toString(), rate.commitMilliseconds, rate.perSecond],
    countConcurrent(rate),
  ]);
};

/** For comparison: also one commit, but without totals. */
const measureSignIn = async (instance: Instance, url: string): Promise<Rate> => {
  const accounts = await queryDatabase<{ email: string }>(
    url,
    'select email from users order by id limit $1',
    [MAX_PER_SECOND * PLAN.creationSeconds],
  );
  return measureRate(
    instance,
    accounts.map(({ email }) => signInRequest(email)),
    url,
  );
};

/** The rate of new accounts by commit latency, with password hashes that cost nothing. */
export const measureAccountCreation = async (run: BenchRun): Promise<void> => {
  const obstacle = findReplicationObstacle();
  if (obstacle !== undefined) return run.report.addNote(`Account creation: ${obstacle}`);
  const { platform } = await run.small();
  const stops: (() => Promise<void>)[] = [];
  try {
    const servers = await startServers((stop) => stops.unshift(stop));
    const few = await startAuth(platform, servers, DEFAULT_CONNECTIONS);
    const many = await startAuth(platform, servers, MANY_CONNECTIONS);
    stops.unshift(few.stop, many.stop);
    await measureRate(many, createEmails().map(signUpRequest), servers.postgres.primary().url);
    const rows: (string | number)[][] = [];
    for (const delay of DELAYS) rows.push(...(await measureDelay({ few, many }, servers, delay)));
    run.report.addTable(
      'Account creation by commit latency',
      ['delay of the standby, ms', '', 'connections', 'commit, ms', 'per second', 'rate × commit'],
      rows,
    );
  } finally {
    for (const stop of stops) await stop();
  }
};
