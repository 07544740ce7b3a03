import { createCertificates } from '@platform/shared/testing/certificates';
import { startRedisCluster, startSentinels } from '@platform/shared/testing/redis-engines';
import { hasRedisServer, startRedis, startReplica } from '@platform/shared/testing/redis-server';
import type { EngineUrls } from '../platform.ts';
import { findPatroniObstacle, startPatroni } from './patroni-cluster.ts';
import { findPgbouncerVersion } from './pgbouncer.ts';
import { startPooledPostgres } from './pgbouncer-group.ts';
import { startSinglePostgres, startSingleValkey } from './single-engines.ts';
import { findTlsObstacle, startTlsEngines, trustCa } from './tls-engines.ts';

export type CaseUrls = EngineUrls & {
  /** The URL of the owner. */
  migrationUrl: string;
  /** Further variables of every process. */
  settings?: Record<string, string>;
};

/** The engines of one case. */
export type CaseEngines = CaseUrls & {
  /** The URL of the owner at one server without TLS, for the account of the administrator. */
  databaseUrl: string;
  /** Processes must not connect with these. */
  refused?: CaseUrls;
  stop: () => Promise<void>;
};

export type EngineCase = {
  name: string;
  /** Why the case cannot run on this machine. */
  findObstacle: () => string | undefined;
  start: (dataDir: string) => Promise<CaseEngines>;
};

type Stoppable = { stop: () => Promise<unknown> };
type OwnedPostgres = Stoppable & Pick<EngineUrls, 'processUrls'> & { url: string };

/** Engines of which one PostgreSQL server without TLS is also migrated. */
const createEngines = (postgres: OwnedPostgres, redisUrl: string, ...others: Stoppable[]): CaseEngines => ({
  databaseUrl: postgres.url,
  migrationUrl: postgres.url,
  processUrls: postgres.processUrls,
  redisUrl,
  stop: async () => {
    await Promise.all([postgres, ...others].map(({ stop }) => stop()));
  },
});

const requireRedis = () => (hasRedisServer() ? undefined : 'redis-server is not installed');

const multiHost: EngineCase = {
  name: 'PostgreSQL with three hosts',
  findObstacle: findPatroniObstacle,
  start: async (dataDir) => {
    const [postgres, valkey] = await Promise.all([startPatroni(dataDir), startSingleValkey(dataDir)]);
    return {
      ...createEngines({ ...postgres, url: postgres.leader().url }, valkey.url, valkey),
      // Lists come from a streaming standby.
      settings: {
        DATABASE_READ_URL: postgres.processUrls.admin.replace('read-write', 'standby'),
      },
    };
  },
};

const sentinel: EngineCase = {
  name: 'Redis Sentinel',
  findObstacle: requireRedis,
  start: async (dataDir) => {
    const postgres = await startSinglePostgres(dataDir);
    const primary = await startRedis();
    const replica = await startReplica(primary);
    const sentinels = await startSentinels(primary);
    return createEngines(postgres, sentinels.url, sentinels, primary, replica);
  },
};

const cluster: EngineCase = {
  name: 'Redis Cluster',
  findObstacle: requireRedis,
  start: async (dataDir) => {
    const [postgres, redis, queueRedis] = await Promise.all([
      startSinglePostgres(dataDir),
      startRedisCluster(),
      startRedis(),
    ]);
    return {
      ...createEngines(postgres, redis.url, redis, queueRedis),
      // BullMQ does not support a cluster.
      settings: { QUEUE_REDIS_URL: queueRedis.url },
    };
  },
};

const privateCa: EngineCase = {
  name: 'a private CA',
  findObstacle: findTlsObstacle,
  start: async (dataDir) => {
    const certificates = await createCertificates();
    const others = await createCertificates();
    const { stop, databaseUrl, ...urls } = await startTlsEngines(dataDir, certificates);
    return {
      ...trustCa(urls, certificates.ca),
      databaseUrl,
      refused: trustCa(urls, others.ca),
      stop: async () => {
        await stop();
        await Promise.all([certificates.remove(), others.remove()]);
      },
    };
  },
};

const pgbouncer: EngineCase = {
  name: 'PgBouncer',
  findObstacle: () => (findPgbouncerVersion() ? undefined : 'pgbouncer is not installed'),
  start: async (dataDir) => {
    const [postgres, valkey] = await Promise.all([startPooledPostgres(dataDir), startSingleValkey(dataDir)]);
    return createEngines({ ...postgres, url: postgres.databaseUrl }, valkey.url, valkey);
  },
};

export const ENGINE_CASES: readonly EngineCase[] = [multiHost, sentinel, cluster, privateCa, pgbouncer];
