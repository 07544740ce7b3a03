import { spawn } from 'node:child_process';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readLogTail } from '../log-file.ts';
import { StackError } from '../stack-error.ts';
import type { PostgresHome } from './postgres-paths.ts';

/** The cluster's only role, and the database of the platform. */
export const databaseUser = 'platform';

export type ClusterOptions = {
  home: PostgresHome;
  password: string;
  logFile: string;
  signal?: AbortSignal | undefined;
};

/** PostgreSQL gets none of our environment: PG* variables would change it, and the rest is not its business. */
export const postgresEnv = (): NodeJS.ProcessEnv => ({
  LC_ALL: 'C',
  TZ: 'UTC',
  ...(process.env.PATH !== undefined && { PATH: process.env.PATH }),
  ...(process.env.SystemRoot !== undefined && { SystemRoot: process.env.SystemRoot }),
});

const initArguments = (dataDir: string, passwordFile: string) => [
  ...[
    '-D',
    dataDir,
    '-U',
    databaseUser,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--no-instructions',
  ],
  // The built-in provider orders and folds Unicode the same on every machine, whatever locales that has; only the few
  // things it leaves to the C library are set to C.
  ...['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
];

const runInitdb = async ({ home, logFile, signal }: ClusterOptions, args: string[]): Promise<void> => {
  const log = openSync(logFile, 'a', 0o600);
  try {
    const child = spawn(join(home.nativeDir, 'bin', 'initdb'), args, {
      cwd: home.nativeDir,
      env: postgresEnv(),
      stdio: ['ignore', log, log],
      detached: true,
      ...(home.account && { uid: home.account.uid, gid: home.account.gid }),
    });
    const onAbort = () => child.kill('SIGTERM');
    signal?.addEventListener('abort', onAbort);
    const ending = await new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, name) => resolve(code === 0 ? '' : (name ?? `exit code ${code}`)));
    });
    signal?.removeEventListener('abort', onAbort);
    signal?.throwIfAborted();
    if (ending)
      throw new StackError(`initdb failed (${ending}). The end of ${logFile}:\n${readLogTail(logFile)}`);
  } finally {
    closeSync(log);
  }
};

const workName = (clusterDir: string) => `${basename(clusterDir)}.new-`;

const removeUnfinished = (clusterDir: string): void => {
  const parent = dirname(clusterDir);
  for (const name of readdirSync(parent)) {
    if (name.startsWith(workName(clusterDir))) rmSync(join(parent, name), { recursive: true, force: true });
  }
};

/**
 * Creates the cluster unless it exists. It is made elsewhere and renamed: a kill in the middle leaves none, not a half.
 * @throws StackError when initdb fails, or something else lies in the cluster's place
 */
export const ensureCluster = async (options: ClusterOptions): Promise<void> => {
  const { clusterDir, account } = options.home;
  if (existsSync(join(clusterDir, 'PG_VERSION'))) return;
  if (existsSync(clusterDir) && readdirSync(clusterDir).length > 0) {
    throw new StackError(
      `${clusterDir} is not empty, but holds no PostgreSQL cluster. Remove it, and start again.`,
    );
  }
  removeUnfinished(clusterDir);
  const work = join(dirname(clusterDir), `${workName(clusterDir)}${process.pid}`);
  const passwordFile = join(work, 'password');
  mkdirSync(work, { mode: 0o700 });
  try {
    writeFileSync(passwordFile, options.password, { mode: 0o600 });
    for (const path of account ? [work, passwordFile] : [])
      chownSync(path, account?.uid ?? 0, account?.gid ?? 0);
    await runInitdb(options, initArguments(join(work, 'data'), passwordFile));
    rmSync(clusterDir, { recursive: true, force: true });
    renameSync(join(work, 'data'), clusterDir);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};
