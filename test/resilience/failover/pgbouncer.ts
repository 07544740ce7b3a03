import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, type RunningChild, startChild } from '@platform/dev/child-process';
import { waitFor } from '@platform/shared/testing/poll';
import { queryDatabase } from '@platform/shared/testing/query-database';

/** Debian installs PgBouncer where only root searches for programs. */
const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` };

type Version = { major: number; minor: number };

/** The installed PgBouncer; undefined without one. */
export const findPgbouncerVersion = (): Version | undefined => {
  const { stdout } = spawnSync('pgbouncer', ['--version'], { env, encoding: 'utf8' });
  const [found, major, minor] = /^PgBouncer (\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
  return found ? { major: Number(major), minor: Number(minor) } : undefined;
};

const isAtLeast = ({ major, minor }: Version, minimum: number): boolean => major > 1 || minor >= minimum;

/** Named prepared statements work in transaction mode from PgBouncer 1.21; an older one needs session mode. */
export const choosePoolMode = (version: Version): 'transaction' | 'session' =>
  isAtLeast(version, 21) ? 'transaction' : 'session';

export type Pgbouncer = {
  port: number;
  /** The connections of the platform. */
  countClients: () => Promise<number>;
  kill: () => Promise<void>;
  freeze: () => void;
  /** Closes each connection after its transaction. */
  stop: () => Promise<void>;
  /** Starts it again after `kill` or `stop`. */
  restart: () => Promise<void>;
};

type Options = {
  version: Version;
  /** For its configuration and log. */
  directory: string;
  port: number;
  /** With the login of the superuser, and with those of the clients. */
  databaseUrl: string;
  clientUrls: readonly string[];
  account: Account | undefined;
};

const readLogin = (url: string) => {
  const { username, password } = new URL(url);
  return { username, password: decodeURIComponent(password) };
};

/** The settings of docs/scaling.md. */
const createSettings = ({ version, port, databaseUrl }: Options, usersFile: string): string => {
  const poolMode = choosePoolMode(version);
  const target = new URL(databaseUrl);
  return [
    '[databases]',
    `${target.pathname.slice(1)} = host=${target.hostname} port=${target.port}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${usersFile}`,
    `admin_users = ${target.username}`,
    `pool_mode = ${poolMode}`,
    // In session mode each client needs a server connection.
    `default_pool_size = ${poolMode === 'session' ? 60 : 20}`,
    ...(poolMode === 'transaction' ? ['max_prepared_statements = 200'] : []),
    // Shorter than the roles' idle_session_timeout: PostgreSQL must not close a connection that PgBouncer still uses.
    'server_idle_timeout = 240',
    'max_client_conn = 500',
    'ignore_startup_parameters = statement_timeout, lock_timeout, idle_in_transaction_session_timeout, options',
    '',
  ].join('\n');
};

/** PgBouncer in front of a PostgreSQL, for failover tests. */
export const startPgbouncer = async (options: Options): Promise<Pgbouncer> => {
  const { version, directory, port, databaseUrl, clientUrls, account } = options;
  await mkdir(directory);
  const settingsFile = join(directory, 'pgbouncer.ini');
  const usersFile = join(directory, 'users.txt');
  const logins = [databaseUrl, ...clientUrls].map(readLogin);
  await writeFile(settingsFile, createSettings(options, usersFile));
  await writeFile(
    usersFile,
    logins.map(({ username, password }) => `"${username}" "${password}"\n`).join(''),
  );
  const adminUrl = Object.assign(new URL(databaseUrl), { port: String(port), pathname: '/pgbouncer' }).href;
  const logFile = join(directory, 'pgbouncer.log');
  const command = { file: 'pgbouncer', args: [settingsFile], env, cwd: '/', logFile, account };
  const { username: administrator } = new URL(databaseUrl);

  const countClients = async (): Promise<number> => {
    const clients = await queryDatabase<{ user: string }>(adminUrl, 'show clients');
    return clients.filter(({ user }) => user !== administrator).length;
  };
  let child: RunningChild | undefined;
  const signal = (name: NodeJS.Signals) => child?.signal(name);
  process.once('exit', () => signal('SIGKILL'));
  const end = async (name: NodeJS.Signals) => {
    signal(name);
    await child?.exited;
  };
  const restart = async () => {
    child = startChild(command);
    await waitFor('PgBouncer responds', async () => {
      if (child?.hasExited()) throw new Error(`PgBouncer exited (${await child.exited}): ${logFile}`);
      return await countClients().then(
        () => true,
        () => false,
      );
    });
  };
  await restart();
  return {
    port,
    countClients,
    kill: () => end('SIGKILL'),
    freeze: () => signal('SIGSTOP'),
    // An older PgBouncer in session mode would wait for the end of every session.
    stop: () => end(isAtLeast(version, 23) ? 'SIGINT' : 'SIGTERM'),
    restart,
  };
};
