import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@platform/dev/engines/postgres';
import { startValkey } from '@platform/dev/engines/valkey';
import { reservePorts } from '@platform/dev/ports';
import type { DatabaseProcess } from '@platform/shared/db/database-rights';
import { migrateDatabase } from '@platform/shared/db/migrate';

export type Engines = {
  /** As the owner. */
  databaseUrl: string;
  processUrls: Record<DatabaseProcess, string>;
  redisUrl: string;
  stop: () => Promise<void>;
};

/** Below it PostgreSQL may have put its cluster elsewhere, behind a link. */
const removeData = async (directory: string): Promise<void> => {
  const cluster = await realpath(join(directory, 'postgres')).catch(() => undefined);
  if (cluster) await rm(cluster, { recursive: true, force: true });
  await rm(directory, { recursive: true, force: true });
};

/** A migrated PostgreSQL and a Valkey of the suite's own, without any of the platform's processes. */
export const startEngines = async (): Promise<Engines> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'platform-stop-'));
  await chmod(dataDir, 0o755);
  const any = { port: 0, host: '127.0.0.1' };
  const ports = await reservePorts({ postgres: any, valkey: any });
  await Promise.all([ports.postgres.release(), ports.valkey.release()]);
  const [postgres, valkey] = await Promise.all([
    startPostgres({ dataDir, port: ports.postgres.port, logFile: join(dataDir, 'postgres.log') }),
    startValkey({ port: ports.valkey.port, logFile: join(dataDir, 'valkey.log') }),
  ]);
  await migrateDatabase(postgres.url, postgres.processUrls);
  return {
    databaseUrl: postgres.url,
    processUrls: postgres.processUrls,
    redisUrl: valkey.url,
    stop: async () => {
      await Promise.all([postgres.stop(), valkey.stop()]);
      await removeData(dataDir);
    },
  };
};
