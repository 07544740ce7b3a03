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
import { setTimeout as sleep } from 'node:timers/promises';
import { readLogTail } from '../child-process.ts';
import { findProcessesIn, findProcessesWith } from '../process-identity.ts';
import { errorCode, StackError } from '../stack-error.ts';
import type { PostgresPaths } from './postgres-paths.ts';

/** The superuser of the cluster. */
export const databaseUser = 'platform';

type ClusterOptions = {
  paths: PostgresPaths;
  nativeDir: string;
  password: string;
  logFile: string;
  signal?: AbortSignal | undefined;
};

/** The variables with which libfaketime moves the clock of a whole stack. */
const isOfClock = (name: string): boolean => name === 'LD_PRELOAD' || /^FAKETIME_(?!SHARED)/.test(name);

/** A minimal environment, because PG* variables would change the settings. */
export const postgresEnv = (): NodeJS.ProcessEnv => ({
  LC_ALL: 'C',
  TZ: 'UTC',
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => isOfClock(name))),
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
  // The built-in provider sorts and folds Unicode identically on every machine. --locale=C covers the rest,
  // which uses the C library.
  ...['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
];

const runInitdb = async (
  { paths, nativeDir, logFile, signal }: ClusterOptions,
  args: string[],
): Promise<void> => {
  const log = openSync(logFile, 'a', 0o600);
  try {
    const child = spawn(join(nativeDir, 'bin', 'initdb'), args, {
      cwd: nativeDir,
      env: postgresEnv(),
      stdio: ['ignore', log, log],
      detached: true,
      ...(paths.account && { uid: paths.account.uid, gid: paths.account.gid }),
    });
    const onAbort = () => child.kill('SIGTERM');
    signal?.addEventListener('abort', onAbort);
    const problem = await new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, name) => resolve(code === 0 ? '' : (name ?? `exit code ${code}`)));
    });
    // Ctrl-C also ends an initdb that has just started, possibly before this process receives the signal.
    if (problem.startsWith('SIG')) await sleep(200);
    signal?.removeEventListener('abort', onAbort);
    signal?.throwIfAborted();
    if (problem)
      throw new StackError(`initdb failed (${problem}). The end of ${logFile}:\n${readLogTail(logFile)}`);
  } finally {
    closeSync(log);
  }
};

const workName = (clusterDir: string) => `${basename(clusterDir)}.new-`;

const sendKill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error; // it has exited
  }
};

/** The initdb of a killed stack continues and would create its directory again. */
const killInitdb = async (work: string): Promise<void> => {
  const findRunning = () => [...findProcessesWith(work), ...findProcessesIn(join(work, 'data'))];
  for (let attempt = 0; attempt < 100 && findRunning().length > 0; attempt += 1) {
    for (const pid of findRunning()) sendKill(pid);
    await sleep(20);
  }
};

const removeUnfinished = async (clusterDir: string): Promise<void> => {
  const parent = dirname(clusterDir);
  for (const name of readdirSync(parent).filter((each) => each.startsWith(workName(clusterDir)))) {
    await killInitdb(join(parent, name));
    // The server that initdb started exits soon after it.
    rmSync(join(parent, name), { recursive: true, force: true, maxRetries: 10 });
  }
};

/**
 * Creates the cluster unless it exists. It is created elsewhere and renamed, so that a kill never leaves an
 * incomplete cluster.
 * @throws StackError if initdb fails, or the directory contains something else
 */
export const ensureCluster = async (options: ClusterOptions): Promise<void> => {
  const { clusterDir, account } = options.paths;
  await removeUnfinished(clusterDir);
  if (existsSync(join(clusterDir, 'PG_VERSION'))) return;
  if (existsSync(clusterDir) && readdirSync(clusterDir).length > 0) {
    throw new StackError(
      `${clusterDir} is not empty, but contains no PostgreSQL cluster. Remove it, and start again.`,
    );
  }
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
    rmSync(work, { recursive: true, force: true, maxRetries: 10 });
  }
};
