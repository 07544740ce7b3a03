import { chmod, mkdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres } from '../../dev/engines/postgres.ts';
import { startValkey } from '../../dev/engines/valkey.ts';
import { reservePorts } from '../../dev/ports.ts';

/** Finds a free port for each name. */
export const findFreePorts = async <Name extends string>(
  names: readonly Name[],
): Promise<Record<Name, number>> => {
  const requests = Object.fromEntries(names.map((name) => [name, { port: 0, host: '127.0.0.1' }]));
  const ports = await reservePorts(requests as Record<Name, { port: number; host: string }>);
  await Promise.all(names.map((name) => ports[name].release()));
  return Object.fromEntries(names.map((name) => [name, ports[name].port])) as Record<Name, number>;
};

/** Starts a real PostgreSQL without a schema, and a real Valkey. */
export const startEngines = async (work: string) => {
  const dataDir = join(work, 'engines');
  await mkdir(dataDir);
  await chmod(dataDir, 0o755);
  const ports = await findFreePorts(['postgres', 'valkey']);
  const postgres = await startPostgres({
    dataDir,
    port: ports.postgres,
    logFile: join(dataDir, 'postgres.log'),
  });
  const valkey = await startValkey({ port: ports.valkey, logFile: join(dataDir, 'valkey.log') });
  return {
    databaseUrl: postgres.url,
    processUrls: postgres.processUrls,
    redisUrl: valkey.url,
    stop: async (): Promise<void> => {
      await Promise.all([postgres.stop(), valkey.stop()]);
      // As root, the cluster may be outside of the data directory, behind a symbolic link.
      const cluster = await realpath(join(dataDir, 'postgres')).catch(() => undefined);
      if (cluster) await rm(cluster, { recursive: true, force: true });
    },
  };
};

export type Engines = Awaited<ReturnType<typeof startEngines>>;
