import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseProcess } from '@platform/shared/db/database-rights';
import pg from 'pg';
import { loadSecrets, type Secrets } from '../secrets.ts';
import { StackError } from '../stack-error.ts';
import type { ProcessPlan, SupervisedProcess } from '../supervisor.ts';
import { superviseProcess } from '../supervisor.ts';
import { databaseUser, ensureCluster, postgresEnv } from './postgres-cluster.ts';
import { findPostgresHome, type PostgresHome } from './postgres-paths.ts';
import { stopLeftoverPostgres } from './stale-postgres.ts';

export type PostgresOptions = {
  dataDir: string;
  port: number;
  logFile: string;
  /** Added to the server's settings, e.g. `{ fsync: 'off' }` for a cluster that is thrown away. */
  settings?: Record<string, string>;
  /** Ends the preparation, `initdb` included. */
  signal?: AbortSignal;
};

/** The platform's database: as its owner, and with each process's own login, which the migrations create. */
export type PostgresUrls = { url: string; processUrls: Record<DatabaseProcess, string> };

/** `clusterDir` is the real data directory, whatever links lead to it. */
export type PlannedPostgres = PostgresUrls & { plan: ProcessPlan; clusterDir: string };

const host = '127.0.0.1';
const database = 'platform';

const defaults = {
  listen_addresses: host,
  unix_socket_directories: '', // their paths have a length limit that a data directory may exceed
  max_connections: '200',
  shared_buffers: '128MB',
  jit: 'off', // its compilation costs more than it saves on queries of milliseconds
  log_timezone: 'UTC',
  timezone: 'UTC',
  // fsync and synchronous_commit stay on: what was acknowledged survives a kill -9.
};

const invalidPassword = '28P01';
const noSuchDatabase = '3D000';

type QueryError = Error & { code: string };
const hasCode = (error: unknown, code: string) =>
  error instanceof Error && (error as QueryError).code === code;

const runQuery = async (connectionString: string, statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000, query_timeout: 5_000 });
  client.on('error', () => undefined); // the query rejects as well
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end();
  }
};

const urlOf = (password: string, port: number, name: string, user = databaseUser) =>
  `postgres://${user}:${encodeURIComponent(password)}@${host}:${port}/${name}`;

const urlsOf = (secrets: Secrets, port: number): PostgresUrls => ({
  url: urlOf(secrets.POSTGRES_PASSWORD, port, database),
  processUrls: {
    auth: urlOf(secrets.AUTH_DATABASE_PASSWORD, port, database, 'auth_service'),
    admin: urlOf(secrets.ADMIN_DATABASE_PASSWORD, port, database, 'admin_service'),
    worker: urlOf(secrets.WORKER_DATABASE_PASSWORD, port, database, 'mailer_worker'),
  },
});

const isReady = async (password: string, port: number, clusterPath: string): Promise<boolean> => {
  try {
    await runQuery(urlOf(password, port, database), 'select 1');
    return true;
  } catch (error) {
    if (hasCode(error, noSuchDatabase)) {
      await runQuery(urlOf(password, port, 'postgres'), `create database ${database}`).catch(() => undefined);
    }
    if (!hasCode(error, invalidPassword)) return false;
    throw new StackError(
      `PostgreSQL in ${clusterPath} does not take the password in secrets.json beside it: one of the two was ` +
        'replaced or removed. Bring it back, or remove both to start anew, without the data',
    );
  }
};

const commandLine = (home: PostgresHome, options: PostgresOptions): string[] => {
  const settings = Object.entries({ ...defaults, ...options.settings });
  const flags = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', home.clusterDir, '-p', String(options.port), ...flags];
};

/**
 * Prepares PostgreSQL on the data directory, creating its cluster the first time, and tells how it is to be run.
 * @throws StackError when it cannot run here
 */
export const planPostgres = async (options: PostgresOptions): Promise<PlannedPostgres> => {
  const { dataDir, port, logFile, signal } = options;
  const secrets = loadSecrets(dataDir);
  const { POSTGRES_PASSWORD: password } = secrets;
  await stopLeftoverPostgres(join(dataDir, 'postgres'));
  const home = await findPostgresHome(dataDir);
  await ensureCluster({ home, password, logFile, signal });
  const plan: ProcessPlan = {
    name: 'postgres',
    command: {
      file: join(home.nativeDir, 'bin', 'postgres'),
      args: commandLine(home, options),
      env: postgresEnv(),
      cwd: home.nativeDir,
      logFile,
      account: home.account,
    },
    beforeStart: () => stopLeftoverPostgres(home.clusterDir),
    isReady: () => isReady(password, port, home.clusterPath),
    startSeconds: 120, // recovery after a crash takes its time
    stopSignal: 'SIGINT', // fast shutdown: open connections are closed, not waited for
    stopSeconds: 15,
  };
  return { plan, ...urlsOf(secrets, port), clusterDir: realpathSync(home.clusterDir) };
};

/** PostgreSQL on its own, for tests. `url` is the platform's database; its role may create others. */
export const startPostgres = async (options: PostgresOptions): Promise<SupervisedProcess & PostgresUrls> => {
  const { plan, url, processUrls } = await planPostgres(options);
  const server = superviseProcess(plan);
  await server.start();
  return { ...server, url, processUrls };
};
