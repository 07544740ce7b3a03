import { hash } from 'bcryptjs';
import { LARGE, SESSIONS, SMALL } from './plan.ts';
import { createReport, type Report } from './report/report.ts';
import { createSeededDatabase, seedDatabase } from './seed-database.ts';
import {
  createAdministrator,
  pickSessions,
  registerTokens,
  seedCrowdedUser,
  seedSessions,
  setPasswords,
} from './seed-sessions.ts';
import { type Started, startBareProxy, startTutorial, type Tutorial } from './targets/baseline.ts';
import { type BetterAuth, startBetterAuth } from './targets/better-auth.ts';
import { type Directus, startDirectus } from './targets/directus.ts';
import { tryPeer } from './targets/peer.ts';
import { type Endpoints, type Instance, type Platform, startPlatform } from './targets/platform.ts';
import type { Defer } from './targets/processes.ts';
import { BENCH_PASSWORD, type LoadSource } from './workloads.ts';

/** A seeded platform and its sessions. `emails` are the accounts that can sign in with BENCH_PASSWORD. */
export type SeededPlatform = Endpoints & LoadSource & { platform: Platform; emails: string[] };

/** An admin-service with a database of the size LARGE. */
export type LargeServers = {
  adminUrl: string;
  databaseUrl: string;
  headers: Record<string, string>;
  pid: Instance['pid'];
};

/** Another checkout of the repository, with its packages installed. */
export type Checkout = { root: string; commit: string };

/** The resources that the scenarios of a run share. Each is started on first use. */
export type BenchRun = {
  report: Report;
  against: Checkout | undefined;
  /** Registers a function that stops something at the end of the run. */
  defer: Defer;
  /** The key is a peer, the value its name and version, or the reason why it does not run here. */
  versions: Record<string, string>;
  small: () => Promise<SeededPlatform>;
  large: () => Promise<LargeServers>;
  bareProxy: () => Promise<Started>;
  tutorial: () => Promise<Tutorial>;
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
const USABLE_SESSIONS = 5_000;

/** @param size the number of sessions in the database, of which `count` become usable */
export const createSessionPool = async (
  databaseUrl: string,
  secrets: Platform['secrets'],
  size: { sessions: number; count: number },
): Promise<LoadSource['takeSessions']> => {
  const pool = await pickSessions(databaseUrl, size.sessions, size.count);
  await registerTokens(databaseUrl, pool, secrets);
  return (count) => {
    if (pool.length < count) throw new Error('There are no sessions left');
    return pool.splice(0, count);
  };
};

const startSmall = async (defer: Defer): Promise<SeededPlatform> => {
  const platform = await startPlatform(defer);
  const { secrets, stack } = platform;
  const { gatewayUrl, authUrl, adminUrl, databaseUrl } = stack;
  await seedDatabase(databaseUrl, SMALL);
  await seedSessions(databaseUrl, SMALL.users, SESSIONS);
  return {
    gatewayUrl,
    authUrl,
    adminUrl,
    databaseUrl,
    platform,
    secrets,
    emails: await setPasswords(databaseUrl, await hash(BENCH_PASSWORD, 12), SIGN_IN_ACCOUNTS),
    adminHeaders: await createAdministrator(databaseUrl, secrets),
    takeSessions: await createSessionPool(databaseUrl, secrets, {
      sessions: SESSIONS,
      count: USABLE_SESSIONS,
    }),
  };
};

/** Creates a second database on the server of the platform. */
const startLarge = async ({ platform }: SeededPlatform): Promise<LargeServers> => {
  const databaseUrl = await createSeededDatabase(platform.stack.databaseUrl, 'large', LARGE);
  await seedCrowdedUser(databaseUrl);
  const { url, pid } = await platform.startInstance('admin', { databaseUrl });
  const headers = await createAdministrator(databaseUrl, platform.secrets);
  return { adminUrl: url, databaseUrl, headers, pid };
};

type Options = Pick<BenchRun, 'against' | 'defer'> & {
  /** The directory for logs. */
  directory: string;
};

export const createBenchRun = ({ directory, defer, against }: Options): BenchRun => {
  const versions: Record<string, string> = {};
  const small = once(() => startSmall(defer));
  const options = { directory, defer };
  const peerOptions = async () => ({
    serverUrl: (await small()).databaseUrl,
    users: SMALL.users,
    ...options,
  });
  return {
    report: createReport(),
    against,
    defer,
    versions,
    small,
    large: once(async () => startLarge(await small())),
    bareProxy: once(async () => startBareProxy((await small()).authUrl, options)),
    tutorial: once(async () => {
      const { databaseUrl, secrets } = await small();
      const accessSecret = secrets.JWT_CUSTOMER_ACCESS_SECRET_KEY;
      return startTutorial({ databaseUrl, accessSecret }, options);
    }),
    betterAuth: once(() =>
      tryPeer(versions, 'better-auth', async () => startBetterAuth(await peerOptions())),
    ),
    directus: once(() => tryPeer(versions, 'Directus', async () => startDirectus(await peerOptions()))),
  };
};
