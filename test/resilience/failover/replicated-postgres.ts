import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type PostgresUrls, planPostgres } from '@platform/dev/engines/postgres';
import { waitFor } from '@platform/shared/testing/poll';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { backUp, STANDBY_NAME } from './postgres-backup.ts';
import { type PostgresServer, startServer } from './postgres-server.ts';

export type ReplicatedPostgres = {
  /** URLs with both hosts, which find the primary. */
  urls: PostgresUrls;
  primary: () => PostgresServer;
  standby: () => PostgresServer;
  /** The standby becomes the primary, without a synchronous standby until `replaceStandby`. */
  promote: () => Promise<void>;
  /** Kills the server that is not the primary, and makes a synchronous standby in its place. */
  replaceStandby: () => Promise<void>;
  /** Starts the killed standby again, and resolves when it is synchronous. */
  restartStandby: () => Promise<void>;
  stop: () => Promise<void>;
};

/** The faults of a server stop all of its processes, which only Linux lists by their directory. */
export const findReplicationObstacle = (): string | undefined =>
  process.platform === 'linux' ? undefined : 'faults of PostgreSQL need Linux';

type Options = { dataDir: string; ports: readonly [number, number]; settings?: Record<string, string> };

const SETTINGS = {
  // A new standby starts with the WAL since the start of its backup.
  wal_keep_size: '512MB',
};

const withPort = (url: string, port: number): string =>
  Object.assign(new URL(url), { port: String(port) }).href;

/** Replaces the host of a URL by several; the result is a URL for libpq, but not for `new URL`. */
const withHosts = (url: string, ports: readonly number[]): string => {
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
  return `${url.replace(/@[^/]*/, `@${hosts}`)}?target_session_attrs=read-write`;
};

/** Gives the URL of the owner and of each process the hosts. */
export const withHostsOfAll = (
  { url, processUrls }: PostgresUrls,
  ports: readonly number[],
): PostgresUrls => ({
  url: withHosts(url, ports),
  processUrls: {
    auth: withHosts(processUrls.auth, ports),
    admin: withHosts(processUrls.admin, ports),
    worker: withHosts(processUrls.worker, ports),
  },
});

const waitForStandby = async (primaryUrl: string): Promise<void> => {
  const isSynchronous = async () => {
    const rows = await queryDatabase(
      primaryUrl,
      `select from pg_stat_replication where sync_state = 'sync' and state = 'streaming'`,
    );
    return rows.length > 0;
  };
  await waitFor('the standby is synchronous', isSynchronous);
};

const requireStandby = async (primaryUrl: string): Promise<void> => {
  await queryDatabase(primaryUrl, `alter system set synchronous_standby_names = '${STANDBY_NAME}'`);
  await queryDatabase(primaryUrl, 'select pg_reload_conf()');
  await waitForStandby(primaryUrl);
};

/**
 * The pinned PostgreSQL as a primary and a synchronous standby, for failover tests. The part of an HA manager, when to
 * promote and which server to stop first, belongs to the test.
 */
export const startReplicatedPostgres = async ({
  dataDir,
  ports,
  settings,
}: Options): Promise<ReplicatedPostgres> => {
  const [firstPort, secondPort] = ports;
  const logFile = join(dataDir, 'postgres.log');
  const planned = await planPostgres({
    dataDir,
    port: firstPort,
    logFile,
    settings: { ...SETTINGS, ...settings },
  });
  const { command } = planned.plan;
  // Without -D and -p, the first two options.
  const flags = command.args.slice(4);
  const start = (clusterDir: string, port: number): Promise<PostgresServer> => {
    const own = { ...command, args: ['-D', clusterDir, '-p', String(port), ...flags] };
    return startServer({ command: own, clusterDir, port, url: withPort(planned.url, port) });
  };
  const makeStandby = async (primary: PostgresServer, clusterDir: string, port: number) => {
    await rm(clusterDir, { recursive: true, force: true });
    await backUp(primary.url, { from: primary.clusterDir, to: clusterDir, account: command.account });
    const standby = await start(clusterDir, port);
    await requireStandby(primary.url);
    return standby;
  };

  let primary = await start(planned.clusterDir, firstPort);
  // It creates the database.
  await waitFor('the database exists', planned.plan.isReady);
  let standby = await makeStandby(primary, `${planned.clusterDir}-standby`, secondPort);
  return {
    urls: withHostsOfAll(planned, ports),
    primary: () => primary,
    standby: () => standby,
    promote: async () => {
      await queryDatabase(standby.url, 'select pg_promote(true, 30)');
      [primary, standby] = [standby, primary];
    },
    replaceStandby: async () => {
      await standby.kill();
      standby = await makeStandby(primary, standby.clusterDir, standby.port);
    },
    restartStandby: async () => {
      standby = await start(standby.clusterDir, standby.port);
      await waitForStandby(primary.url);
    },
    stop: async () => {
      await Promise.all([primary.kill(), standby.kill()]);
      for (const { clusterDir } of [primary, standby]) await rm(clusterDir, { recursive: true, force: true });
    },
  };
};
