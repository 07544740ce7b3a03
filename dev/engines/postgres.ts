import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseProcess } from '@platform/migrate/rights';
import pg from 'pg';
import { loadSecrets, type Secrets } from '../data-dir.ts';
import { errorCode, StackError } from '../stack-error.ts';
import { type ProcessPlan, type SupervisedProcess, superviseProcess } from '../supervisor.ts';
import { recordDataDir } from './orphaned-databases.ts';
import { preparePostgresBinaries } from './postgres-binaries.ts';
import { databaseUser, ensureCluster, postgresEnv } from './postgres-cluster.ts';
import { type PostgresPaths, resolvePostgresPaths } from './postgres-paths.ts';
import { stopStalePostgres } from './stale-postgres.ts';

type PostgresOptions = {
  dataDir: string;
  port: number;
  logFile: string;
  /** Additional server settings, such as `{ fsync: 'off' }` for a temporary cluster. */
  settings?: Record<string, string>;
  /** Aborts the preparation, including `initdb`. */
  signal?: AbortSignal;
};

/**
 * The URL of the database with its owner's login, and with the login of each process, which migrations
 * create.
 */
export type PostgresUrls = { url: string; processUrls: Record<DatabaseProcess, string> };

/** `clusterDir` is the real data directory, without links. */
type PlannedPostgres = PostgresUrls & { plan: ProcessPlan; clusterDir: string };

const host = '127.0.0.1';
const database = 'platform';

const defaults = {
  listen_addresses: host,
  unix_socket_directories: '', // the data directory may exceed the length limit of socket paths
  max_connections: '200',
  jit: 'off', // costs more than it saves for queries of milliseconds
  log_timezone: 'UTC',
  timezone: 'UTC',
  // fsync and synchronous_commit stay on, so that committed data survives a kill -9.
};

const invalidPassword = '28P01';
const unknownDatabase = '3D000';

const runQuery = async (connectionString: string, statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000, query_timeout: 60_000 });
  client.on('error', () => undefined); // the query rejects as well
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end();
  }
};

const toUrl = (password: string, port: number, name: string, user = databaseUser) =>
  `postgres://${user}:${encodeURIComponent(password)}@${host}:${port}/${name}`;

const toUrls = (secrets: Secrets, port: number): PostgresUrls => ({
  url: toUrl(secrets.POSTGRES_PASSWORD, port, database),
  processUrls: {
    auth: toUrl(secrets.AUTH_DATABASE_PASSWORD, port, database, 'auth_service'),
    admin: toUrl(secrets.ADMIN_DATABASE_PASSWORD, port, database, 'admin_service'),
    worker: toUrl(secrets.WORKER_DATABASE_PASSWORD, port, database, 'mailer_worker'),
  },
});

/** Creates the database; the next attempt connects to it. */
const createDatabase = async (password: string, port: number): Promise<false> => {
  await runQuery(toUrl(password, port, 'postgres'), `create database ${database}`).catch(() => undefined);
  return false;
};

/** @throws StackError if waiting does not help, because the password is wrong */
const isReady = async (password: string, port: number, clusterPath: string): Promise<boolean> => {
  try {
    await runQuery(toUrl(password, port, database), 'select 1');
    return true;
  } catch (error) {
    if (errorCode(error) === unknownDatabase) return createDatabase(password, port);
    if (errorCode(error) !== invalidPassword) return false;
    throw new StackError(
      `PostgreSQL in ${clusterPath} rejects the password in secrets.json: one of the two was replaced or removed. ` +
        'Restore it, or remove both to start again without data',
    );
  }
};

const toArguments = (paths: PostgresPaths, options: PostgresOptions): string[] => {
  const settings = Object.entries({ ...defaults, ...options.settings });
  const flags = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', paths.clusterDir, '-p', String(options.port), ...flags];
};

/**
 * Prepares PostgreSQL in the data directory, including its cluster.
 * @returns the process
 * @throws StackError if PostgreSQL does not run on this machine
 */
export const planPostgres = async (options: PostgresOptions): Promise<PlannedPostgres> => {
  const { dataDir, port, logFile, signal } = options;
  const secrets = loadSecrets(dataDir);
  const { POSTGRES_PASSWORD: password } = secrets;
  await stopStalePostgres(join(dataDir, 'postgres'));
  const paths = resolvePostgresPaths(dataDir);
  recordDataDir(paths.clusterDir, dataDir);
  const nativeDir = await preparePostgresBinaries(dataDir, paths.account);
  await ensureCluster({ paths, nativeDir, password, logFile, signal });
  const plan: ProcessPlan = {
    name: 'postgres',
    command: {
      file: join(nativeDir, 'bin', 'postgres'),
      args: toArguments(paths, options),
      env: postgresEnv(),
      cwd: nativeDir,
      logFile,
      account: paths.account,
    },
    beforeStart: () => stopStalePostgres(paths.clusterDir),
    isReady: () => isReady(password, port, paths.clusterPath),
    stopSignal: 'SIGINT', // fast shutdown: closes open connections
  };
  return { plan, ...toUrls(secrets, port), clusterDir: realpathSync(paths.clusterDir) };
};

/** Starts only PostgreSQL, for tests. The role of `url` may create databases. */
export const startPostgres = async (options: PostgresOptions): Promise<SupervisedProcess & PostgresUrls> => {
  const { plan, url, processUrls } = await planPostgres(options);
  const server = superviseProcess(plan);
  await server.start();
  return { ...server, url, processUrls };
};
