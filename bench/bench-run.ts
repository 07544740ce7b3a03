import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { hash } from 'bcryptjs';
import { LARGE, SMALL, sessionCount } from './plan.ts';
import { createReport, type Report } from './report/report.ts';
import { seedDatabase } from './seed-database.ts';
import {
  createAdministrator,
  pickSessions,
  registerTokens,
  seedSessions,
  setPasswords,
} from './seed-sessions.ts';
import type { DatasetSize } from './seed-sql.ts';
import { startBareProxy, startBaseline } from './targets/baseline.ts';
import { type BetterAuth, startBetterAuth } from './targets/better-auth.ts';
import { type Directus, startDirectus } from './targets/directus.ts';
import { tryPeer } from './targets/peer.ts';
import { type Endpoints, type Platform, startPlatform } from './targets/platform.ts';
import { createDatabase, type Defer, ROOT } from './targets/processes.ts';
import { BENCH_PASSWORD, type LoadSource } from './workloads.ts';

/** The servers in front of a seeded database, and the sessions in it. */
export type SeededServers = Endpoints & LoadSource & { size: DatasetSize };

/** A seeded platform. `emails`: the accounts that can sign in with BENCH_PASSWORD. */
export type SeededPlatform = SeededServers & { platform: Platform; emails: string[] };

/** What the scenarios of a run share; everything is started on first use. */
export type BenchRun = {
  report: Report;
  /** The versions of the peers, or the reasons why they do not run here. */
  versions: Record<string, string>;
  small: () => Promise<SeededPlatform>;
  large: () => Promise<SeededServers>;
  baseline: () => Promise<{ url: string }>;
  bareProxy: () => Promise<{ url: string }>;
  betterAuth: () => Promise<BetterAuth[]>;
  directus: () => Promise<Directus[]>;
};

const once = <Value>(create: () => Promise<Value>): (() => Promise<Value>) => {
  let created: Promise<Value> | undefined;
  return () => {
    created ??= create();
    return created;
  };
};

const SIGN_IN_ACCOUNTS = 3_000;
/** Enough for all scenarios together. */
const SESSIONS = 5_000;

const createSessionPool = async (
  databaseUrl: string,
  size: DatasetSize,
  secrets: Platform['secrets'],
): Promise<LoadSource['takeSessions']> => {
  const pool = await pickSessions(databaseUrl, sessionCount(size), SESSIONS);
  await registerTokens(databaseUrl, pool, secrets);
  return (count) => {
    if (pool.length < count) throw new Error('There are no sessions left');
    return pool.splice(0, count);
  };
};

const seed = async (databaseUrl: string, size: DatasetSize): Promise<void> => {
  const started = performance.now();
  await seedDatabase(databaseUrl, size);
  await seedSessions(databaseUrl, size.users, sessionCount(size));
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  console.log(`${size.users} users, ${size.projects} projects, ${sessionCount(size)} sessions: ${seconds} s`);
};

const toLoadSource = async (
  databaseUrl: string,
  size: DatasetSize,
  { secrets }: Platform,
): Promise<LoadSource> => ({
  secrets,
  adminHeaders: await createAdministrator(databaseUrl, secrets),
  takeSessions: await createSessionPool(databaseUrl, size, secrets),
});

const startSmall = async (defer: Defer): Promise<SeededPlatform> => {
  const platform = await startPlatform(defer);
  const { gatewayUrl, authUrl, adminUrl, databaseUrl } = platform.stack;
  await seed(databaseUrl, SMALL);
  const emails = await setPasswords(databaseUrl, await hash(BENCH_PASSWORD, 12), SIGN_IN_ACCOUNTS);
  const source = await toLoadSource(databaseUrl, SMALL, platform);
  return { gatewayUrl, authUrl, adminUrl, databaseUrl, size: SMALL, ...source, platform, emails };
};

/** As an operator does. */
const migrate = async (databaseUrl: string): Promise<void> => {
  const env = { PATH: process.env['PATH'], DATABASE_URL: databaseUrl };
  await promisify(execFile)(process.execPath, ['migrate/src/run-migrations.ts'], { cwd: ROOT, env });
};

const startLarge = async ({ platform }: SeededPlatform): Promise<SeededServers> => {
  const databaseUrl = await createDatabase(platform.stack.databaseUrl, 'large');
  await migrate(databaseUrl);
  await seed(databaseUrl, LARGE);
  const { url: authUrl } = await platform.startInstance('auth', { databaseUrl });
  const { url: adminUrl } = await platform.startInstance('admin', { databaseUrl });
  const { url: gatewayUrl } = await platform.startInstance('gateway', { authUrl, adminUrl });
  const source = await toLoadSource(databaseUrl, LARGE, platform);
  return { gatewayUrl, authUrl, adminUrl, databaseUrl, size: LARGE, ...source };
};

/** @param directory for logs */
export const createBenchRun = (directory: string, defer: Defer): BenchRun => {
  const versions: Record<string, string> = {};
  const small = once(() => startSmall(defer));
  const options = { directory, defer };
  const peerOptions = async () => ({
    ...{ serverUrl: (await small()).databaseUrl, users: SMALL.users },
    ...options,
  });
  return {
    report: createReport(),
    versions,
    small,
    large: once(async () => startLarge(await small())),
    baseline: once(async () => {
      const { databaseUrl, secrets } = await small();
      const accessSecret = secrets.JWT_CUSTOMER_ACCESS_SECRET_KEY;
      return startBaseline({ databaseUrl, accessSecret }, options);
    }),
    bareProxy: once(async () => startBareProxy((await small()).authUrl, options)),
    betterAuth: once(() =>
      tryPeer(versions, 'better-auth', async () => startBetterAuth(await peerOptions())),
    ),
    directus: once(() => tryPeer(versions, 'Directus', async () => startDirectus(await peerOptions()))),
  };
};
