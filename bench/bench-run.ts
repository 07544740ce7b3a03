import { migrateDatabase } from '@platform/migrate/migrate';
import { hash } from 'bcryptjs';
import { LARGE, SMALL, sessionCount } from './plan.ts';
import { createReport, type Report } from './report/report.ts';
import { type DatasetSize, seedDatabase } from './seed-database.ts';
import {
  createAdministrator,
  pickSessions,
  registerTokens,
  seedSessions,
  setPasswords,
} from './seed-sessions.ts';
import { startBareProxy, startBaseline } from './targets/baseline.ts';
import { type BetterAuth, startBetterAuth } from './targets/better-auth.ts';
import { type Directus, startDirectus } from './targets/directus.ts';
import { type Nginx, startNginx } from './targets/nginx.ts';
import { type Available, tryPeer } from './targets/peer.ts';
import { type Endpoints, type Platform, startPlatform } from './targets/platform.ts';
import { createDatabase, type Defer } from './targets/processes.ts';
import { BENCH_PASSWORD, type LoadSource } from './workloads.ts';

/** The servers in front of a seeded database, and the sessions in it. */
export type SeededServers = Endpoints & LoadSource & { size: DatasetSize };

/** A seeded platform. `emails`: the accounts that can sign in with BENCH_PASSWORD. */
export type SeededPlatform = SeededServers & { platform: Platform; emails: string[] };

/** What the scenarios of a run share; everything is started on first use. */
export type BenchRun = {
  report: Report;
  /** The versions of the peers, or the reasons why they do not run. */
  versions: Record<string, string>;
  small: () => Promise<SeededPlatform>;
  large: () => Promise<SeededServers>;
  baseline: () => Promise<{ url: string }>;
  bareProxy: () => Promise<{ url: string }>;
  nginx: () => Promise<Available<Nginx>>;
  betterAuth: () => Promise<Available<BetterAuth>>;
  directus: () => Promise<Available<Directus>>;
};

const once = <Value>(create: () => Promise<Value>): (() => Promise<Value>) => {
  let created: Promise<Value> | undefined;
  return () => {
    created ??= create();
    return created;
  };
};

/** Starts a peer on first use, and records its version. */
const peerOnce = <Peer extends { version: string }>(
  versions: Record<string, string>,
  name: string,
  start: () => Promise<Peer>,
): (() => Promise<Available<Peer>>) =>
  once(async () => {
    const available = await tryPeer(name, start);
    versions[name] = 'peer' in available ? available.peer.version : available.missing;
    return available;
  });

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

/** @param root another checkout of the platform; this one by default */
export const startSmall = async (defer: Defer, root?: string): Promise<SeededPlatform> => {
  const platform = await startPlatform(defer, root);
  const { gatewayUrl, authUrl, adminUrl, databaseUrl } = platform.stack;
  await seed(databaseUrl, SMALL);
  const emails = await setPasswords(databaseUrl, await hash(BENCH_PASSWORD, 12), SIGN_IN_ACCOUNTS);
  const source = await toLoadSource(databaseUrl, SMALL, platform);
  return { gatewayUrl, authUrl, adminUrl, databaseUrl, size: SMALL, ...source, platform, emails };
};

const startLarge = async ({ platform }: SeededPlatform): Promise<SeededServers> => {
  const databaseUrl = await createDatabase(platform.stack.databaseUrl, 'large');
  await migrateDatabase(databaseUrl);
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
    nginx: peerOnce(versions, 'nginx', async () => startNginx((await small()).authUrl, options)),
    betterAuth: peerOnce(versions, 'better-auth', async () => startBetterAuth(await peerOptions())),
    directus: peerOnce(versions, 'Directus', async () => startDirectus(await peerOptions())),
  };
};
