import { chown, copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { resolvePostgresPaths } from '@platform/dev/engines/postgres-paths';
import { type createCertificates, hasOpenssl } from '@platform/shared/testing/certificates';
import { hasRedisServer, startRedis } from '@platform/shared/testing/redis-server';
import type { EngineUrls } from '../platform.ts';
import { startSinglePostgres } from './single-engines.ts';

type Certificates = Awaited<ReturnType<typeof createCertificates>>;

/** Copies the files to where PostgreSQL's account can read them; it refuses a key that others can read. */
const createServerFiles = async (dataDir: string, { certificate, key }: Certificates) => {
  const files = { ssl_cert_file: join(dataDir, 'server.crt'), ssl_key_file: join(dataDir, 'server.key') };
  const { account } = resolvePostgresPaths(dataDir);
  await copyFile(certificate, files.ssl_cert_file);
  await copyFile(key, files.ssl_key_file);
  if (account) for (const file of Object.values(files)) await chown(file, account.uid, account.gid);
  return files;
};

const withCa = (url: string, ca: string): string => `${url}?sslmode=verify-full&sslrootcert=${ca}`;

/** The URLs and settings of processes that trust only this CA. */
export const trustCa = (
  { migrationUrl, processUrls, redisUrl }: EngineUrls & { migrationUrl: string },
  ca: string,
) => ({
  migrationUrl: withCa(migrationUrl, ca),
  processUrls: {
    auth: withCa(processUrls.auth, ca),
    admin: withCa(processUrls.admin, ca),
    worker: withCa(processUrls.worker, ca),
  },
  redisUrl,
  settings: { NODE_EXTRA_CA_CERTS: ca },
});

/** Engines with TLS, whose certificates `certificates` has signed; the URLs are without the settings of TLS. */
export const startTlsEngines = async (dataDir: string, certificates: Certificates) => {
  const files = await createServerFiles(dataDir, certificates);
  const [postgres, redis] = await Promise.all([
    startSinglePostgres(dataDir, { ssl: 'on', ...files }),
    startRedis({ tls: certificates }),
  ]);
  return {
    databaseUrl: postgres.url,
    migrationUrl: postgres.url,
    processUrls: postgres.processUrls,
    redisUrl: redis.url,
    stop: async () => {
      await Promise.all([postgres.stop(), redis.stop()]);
    },
  };
};

export const findTlsObstacle = (): string | undefined => {
  if (!hasOpenssl()) return 'openssl is not installed';
  return hasRedisServer() ? undefined : 'redis-server is not installed';
};
