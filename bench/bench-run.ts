import { hash } from 'bcryptjs';
import { LARGE, SMALL, sessionsOf } from './plan.ts';
import { createReport, type Report } from './report/report.ts';
import {
  buildSessions,
  createAdministrator,
  givePasswords,
  type MarketSession,
  pickSessions,
} from './seed-sessions.ts';
import { BENCH_PASSWORD } from './seed-tokens.ts';
import { buildMarket, type MarketSize } from './seed-users.ts';
import { startBareProxy } from './targets/bare-proxy.ts';
import { startFloor } from './targets/baseline.ts';
import { type BetterAuth, startBetterAuth } from './targets/better-auth.ts';
import { createMigratedDatabase } from './targets/databases.ts';
import { type Directus, startDirectus } from './targets/directus.ts';
import { type Nginx, startNginx } from './targets/nginx.ts';
import { type Available, tryPeer } from './targets/peer.ts';
import { type Entrance, type Platform, startPlatform } from './targets/platform.ts';
import type { Defer } from './targets/processes.ts';

/** A database of that size, those in front of it, and an administrator's headers. */
export type Market = Entrance & {
  size: MarketSize;
  adminHeaders: Record<string, string>;
  /** So many sessions that nobody had yet: a refresh ends the tokens that it was made with. */
  takeSessions: (count: number) => MarketSession[];
};

/** A market whose customers of the list can sign in. */
export type PlatformMarket = Market & { platform: Platform; emails: string[] };

/** What the parts of a run share; each thing is started when the first part needs it. */
export type BenchRun = {
  report: Report;
  /** Of what was started beside the platform, or why it was not. */
  versions: Record<string, string>;
  /** Stops what was started, the last first. */
  stop: () => Promise<void>;
  small: () => Promise<PlatformMarket>;
  large: () => Promise<Market>;
  floor: () => Promise<{ url: string }>;
  bareProxy: () => Promise<{ url: string }>;
  nginx: () => Promise<Available<Nginx>>;
  betterAuth: () => Promise<Available<BetterAuth>>;
  directus: () => Promise<Available<Directus>>;
};

const once = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

type Versioned = { version: string };

/** Starts a peer once; what became of it stands in `versions`. */
const peerOf = <Peer extends Versioned>(
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
/** As many as all parts take together. */
const SESSIONS = 5_000;

const openPool = async (databaseUrl: string, size: MarketSize): Promise<Market['takeSessions']> => {
  const pool = await pickSessions(databaseUrl, sessionsOf(size), SESSIONS);
  return (count) => {
    if (pool.length < count) throw new Error('There are no sessions left');
    return pool.splice(0, count);
  };
};

const fill = async (databaseUrl: string, size: MarketSize): Promise<void> => {
  const started = performance.now();
  await buildMarket(databaseUrl, size);
  await buildSessions(databaseUrl, size.users, sessionsOf(size));
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  console.log(`${size.users} users, ${size.projects} projects, ${sessionsOf(size)} sessions: ${seconds} s`);
};

const startSmall = async (defer: Defer): Promise<PlatformMarket> => {
  const platform = await startPlatform(defer);
  const { gatewayUrl, authUrl, adminUrl, databaseUrl } = platform.stack;
  await fill(databaseUrl, SMALL);
  const emails = await givePasswords(databaseUrl, await hash(BENCH_PASSWORD, 12), SIGN_IN_ACCOUNTS);
  const adminHeaders = await createAdministrator(databaseUrl, platform.secrets);
  const entrance = { gatewayUrl, authUrl, adminUrl, databaseUrl };
  const takeSessions = await openPool(databaseUrl, SMALL);
  return { ...entrance, platform, size: SMALL, takeSessions, adminHeaders, emails };
};

const startLarge = async ({ platform }: PlatformMarket): Promise<Market> => {
  const databaseUrl = await createMigratedDatabase(platform.stack.databaseUrl, 'large');
  await fill(databaseUrl, LARGE);
  const auth = await platform.startExtra('auth', { databaseUrl });
  const admin = await platform.startExtra('admin', { databaseUrl });
  const [authUrl, adminUrl] = [auth.url, admin.url];
  const { url: gatewayUrl } = await platform.startExtra('gateway', { authUrl, adminUrl });
  const adminHeaders = await createAdministrator(databaseUrl, platform.secrets);
  return {
    ...{ gatewayUrl, authUrl, adminUrl, databaseUrl },
    ...{ size: LARGE, takeSessions: await openPool(databaseUrl, LARGE), adminHeaders },
  };
};

/** @param directory for logs */
export const createBenchRun = (directory: string): BenchRun => {
  const stops: (() => Promise<void>)[] = [];
  const versions: Record<string, string> = {};
  const defer: Defer = (stop) => stops.unshift(stop);
  const small = once(() => startSmall(defer));
  const users = SMALL.users;
  const peer = async () => ({ serverUrl: (await small()).databaseUrl, directory, users, defer });
  return {
    report: createReport(),
    versions,
    stop: async () => {
      for (const stop of stops.splice(0)) await stop();
    },
    small,
    large: once(async () => startLarge(await small())),
    floor: once(async () => {
      const { databaseUrl, platform } = await small();
      const accessSecret = platform.secrets.JWT_CUSTOMER_ACCESS_SECRET_KEY;
      return startFloor({ databaseUrl, accessSecret, directory, defer });
    }),
    bareProxy: once(async () => {
      const { authUrl: upstreamUrl } = await small();
      return startBareProxy({ upstreamUrl, directory, defer });
    }),
    nginx: peerOf(versions, 'nginx', async () => {
      const { authUrl: upstreamUrl } = await small();
      return startNginx({ upstreamUrl, directory, defer });
    }),
    betterAuth: peerOf(versions, 'better-auth', async () => startBetterAuth(await peer())),
    directus: peerOf(versions, 'Directus', async () => startDirectus(await peer())),
  };
};
