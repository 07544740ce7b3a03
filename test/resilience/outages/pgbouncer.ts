import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild } from '@platform/dev/child-process';
import { resolvePostgresPaths } from '@platform/dev/engines/postgres-paths';
import { waitFor } from '@platform/shared/testing/poll';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { findPorts } from '../platform.ts';

/** Debian installs PgBouncer in a directory that is only in the PATH of root. */
const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` };
/**
 * From this version on, named prepared statements work in transaction mode. Older versions need session mode.
 */
const MIN_TRANSACTION_MODE = 21;

const findMinorVersion = (): number | undefined => {
  const { stdout } = spawnSync('pgbouncer', ['--version'], { env, encoding: 'utf8' });
  const [found, minor] = /^PgBouncer 1\.(\d+)/.exec(stdout ?? '') ?? [];
  return found ? Number(minor) : undefined;
};

export const hasPgbouncer = (): boolean => findMinorVersion() !== undefined;

/** PgBouncer rejects these settings as startup parameters, so they are set on the roles (docs/scaling.md). */
const setOnRoles = async (databaseUrl: string): Promise<void> => {
  const name = new URL(databaseUrl).pathname.slice(1);
  for (const role of ['auth_service', 'mailer_worker'])
    for (const setting of ["statement_timeout = '5s'", "lock_timeout = '2s'"])
      await queryDatabase(databaseUrl, `alter role ${role} in database ${name} set ${setting}`);
};

/** The settings of docs/scaling.md. */
const createSettings = (databaseUrl: string, port: number, usersFile: string): string => {
  const target = new URL(databaseUrl);
  const isTransactionMode = (findMinorVersion() ?? 0) >= MIN_TRANSACTION_MODE;
  return [
    '[databases]',
    `${target.pathname.slice(1)} = host=${target.hostname} port=${target.port}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${usersFile}`,
    `pool_mode = ${isTransactionMode ? 'transaction' : 'session'}`,
    ...(isTransactionMode ? ['max_prepared_statements = 200'] : []),
    'default_pool_size = 40',
    'server_idle_timeout = 240',
    'ignore_startup_parameters = statement_timeout, lock_timeout, idle_in_transaction_session_timeout, options',
    '',
  ].join('\n');
};

/** Starts PgBouncer in front of a database. @param clientUrls URLs with the logins of its clients */
export const startPgbouncer = async (databaseUrl: string, clientUrls: readonly string[]) => {
  const directory = await mkdtemp(join(tmpdir(), 'platform-pgbouncer-'));
  await chmod(directory, 0o755);
  const [settingsFile, usersFile] = [join(directory, 'pgbouncer.ini'), join(directory, 'users.txt')];
  const users = clientUrls.map((url) => {
    const { username, password } = new URL(url);
    return `"${username}" "${decodeURIComponent(password)}"\n`;
  });
  const [port = 0] = await findPorts(1);
  await writeFile(settingsFile, createSettings(databaseUrl, port, usersFile));
  await writeFile(usersFile, users.join(''));
  await setOnRoles(databaseUrl);
  const { account } = resolvePostgresPaths(directory);
  const logFile = join(directory, 'pgbouncer.log');
  const child = startChild({ file: 'pgbouncer', args: [settingsFile], env, cwd: '/', logFile, account });
  const toPooled = (url: string) => Object.assign(new URL(url), { port: String(port) }).href;
  await waitFor('PgBouncer responds', () =>
    queryDatabase(toPooled(clientUrls[0] ?? ''), 'select 1').catch(() => {
      if (child.hasExited()) throw new Error(`PgBouncer has exited: ${logFile}`);
      return false as const;
    }),
  );
  return {
    url: toPooled(databaseUrl),
    stop: async (): Promise<void> => {
      child.signal('SIGKILL');
      await child.exited;
      await rm(directory, { recursive: true });
    },
  };
};
