import { createCertificates } from '@platform/shared/testing/certificates';
import { startRedisCluster, startSentinels } from '@platform/shared/testing/redis-engines';
import { hasRedisServer, startRedis, startReplica } from '@platform/shared/testing/redis-server';
import { type EngineUrls, findPorts } from '../platform.ts';
import { findPgbouncerVersion } from './pgbouncer.ts';
import { startPooledPostgres } from './pgbouncer-group.ts';
import { findReplicationObstacle, startReplicatedPostgres } from './replicated-postgres.ts';
import { startSinglePostgres, startSingleValkey } from './single-engines.ts';
import { findTlsObstacle, startTlsEngines, trustCa } from './tls-engines.ts';

export type CaseUrls = EngineUrls & {
  /** As the owner. */
  migrationUrl: string;
  /** Further variables of every process. */
  settings?: Record<string, string>;
};

/** The engines of one case. */
export type CaseEngines = CaseUrls & {
  /** As the owner, of one server without TLS: for the account of the administrator. */
  databaseUrl: string;
  /** With these, processes must not connect. */
  refused?: CaseUrls;
  stop: () => Promise<void>;
};

export type EngineCase = {
  name: string;
  /** Why the case cannot run on this machine. */
  findObstacle: () => string | undefined;
  start: (dataDir: string) => Promise<CaseEngines>;
};

const requireRedis = () => (hasRedisServer() ? undefined : 'redis-server is not installed');

const multiHost: EngineCase = {
  name: 'PostgreSQL with two hosts',
  findObstacle: findReplicationObstacle,
  start: async (dataDir) => {
    const [first = 0, second = 0] = await findPorts(2);
    const postgres = await startReplicatedPostgres({ dataDir, ports: [second, first] });
    const valkey = await startSingleValkey(dataDir);
    return {
      databaseUrl: postgres.primary().url,
      migrationUrl: postgres.urls.url,
      processUrls: postgres.urls.processUrls,
      redisUrl: valkey.url,
      stop: async () => {
        await Promise.all([postgres.stop(), valkey.stop()]);
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
    return {
      databaseUrl: postgres.url,
      migrationUrl: postgres.url,
      processUrls: postgres.processUrls,
      redisUrl: sentinels.url,
      stop: async () => {
        await Promise.all([sentinels, primary, replica, postgres].map(({ stop }) => stop()));
      },
    };
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
      databaseUrl: postgres.url,
      migrationUrl: postgres.url,
      processUrls: postgres.processUrls,
      redisUrl: redis.url,
      // BullMQ does not support a cluster.
      settings: { QUEUE_REDIS_URL: queueRedis.url },
      stop: async () => {
        await Promise.all([redis, queueRedis, postgres].map(({ stop }) => stop()));
      },
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
    return {
      databaseUrl: postgres.databaseUrl,
      migrationUrl: postgres.databaseUrl,
      processUrls: postgres.processUrls,
      redisUrl: valkey.url,
      stop: async () => {
        await Promise.all([postgres.stop(), valkey.stop()]);
      },
    };
  },
};

export const ENGINE_CASES: readonly EngineCase[] = [multiHost, sentinel, cluster, privateCa, pgbouncer];
