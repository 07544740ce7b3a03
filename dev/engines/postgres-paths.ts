import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Account } from '../child-process.ts';
import { errorCode, StackError } from '../stack-error.ts';

const accountNames = ['postgres', 'nobody'];

/** The first account of `names` in a passwd file, except aliases of root. */
export const findAccount = (passwd: string, names = accountNames): Account | undefined => {
  const accounts = passwd.split('\n').map((line) => line.split(':'));
  for (const name of names) {
    const [, , uid, gid] = accounts.find(([account]) => account === name) ?? [];
    if (Number(uid) > 0 && Number(gid) > 0) return { name, uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
};

export const runsAsRoot = (): boolean => process.getuid?.() === 0;

/**
 * The account for PostgreSQL if the stack runs as root, because PostgreSQL does not run as root.
 * @throws StackError if there is none
 */
const chooseAccount = (): Account => {
  const account = findAccount(readFileSync('/etc/passwd', 'utf8'));
  if (account) return account;
  throw new StackError(
    `PostgreSQL does not run as root, and this machine has no account ${accountNames.join(' or ')}. ` +
      'Run npm start as an unprivileged user, or set DATABASE_URL to an external PostgreSQL.',
  );
};

/** Tries to enter the directory, because mode bits do not cover access lists and mount options. */
const canEnter = (directory: string, account: Account): boolean => {
  const { uid, gid } = account;
  return (
    spawnSync('/bin/sh', ['-c', 'cd "$0"', directory], { uid, gid, cwd: '/', stdio: 'ignore' }).status === 0
  );
};

const folder = 'marketplace-platform';
const writableByOthers = 0o022;
const sticky = 0o1000;

/** Creates the directory; returns false if it is not writable. */
const createDirectory = (directory: string): boolean => {
  try {
    mkdirSync(directory);
    chmodSync(directory, 0o711); // regardless of the umask, PostgreSQL's account has to traverse it
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') return false;
  }
  try {
    accessSync(directory, constants.W_OK); // root cannot write to a read-only file system either
    return true;
  } catch {
    return false;
  }
};

/** In /tmp, another user may have created the directory, or a link with its name. */
const isPrivate = (directory: string): boolean => {
  const entry = lstatSync(directory, { throwIfNoEntry: false });
  if (!entry) return false;
  const parent = statSync(dirname(directory));
  const isOurs =
    entry.isDirectory() && entry.uid === process.getuid?.() && (entry.mode & writableByOthers) === 0;
  return isOurs && ((parent.mode & writableByOthers) === 0 || (parent.mode & sticky) !== 0);
};

const systemParents = () => ['/var/lib', tmpdir()];

/**
 * Opens a directory of root that PostgreSQL's account can access. It is used if the account cannot access the
 * checkout or DATA_DIR.
 * @throws StackError if it cannot be created, or belongs to another user
 */
export const openSystemDataDir = (parents = systemParents()): string => {
  const directory = parents.map((parent) => join(parent, folder)).find(createDirectory);
  if (!directory) throw new StackError(`No directory could be created below ${parents.join(' or ')}.`);
  if (isPrivate(directory)) return directory;
  throw new StackError(
    `${directory} must be a directory that belongs to root and that only root can write. Remove it, and start again.`,
  );
};

/** The directories that `openSystemDataDir` has created in the parents. */
export const findSystemDataDirs = (parents = systemParents()): string[] =>
  parents.map((parent) => join(parent, folder)).filter(isPrivate);

/**
 * PostgreSQL's directories and account. `clusterDir` is the real data directory, which is absent before the
 * first start. `clusterPath`, in the data directory of the stack, is the same directory or a link to it.
 */
export type PostgresPaths = {
  clusterDir: string;
  clusterPath: string;
  account?: Account | undefined;
};

const toRealPath = (path: string): string | undefined => {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
};

const isLink = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

/** The account that owns an existing cluster, as PostgreSQL requires. */
const findOwner = (clusterDir: string | undefined): Account | undefined => {
  if (clusterDir === undefined) return undefined;
  const { uid, gid } = statSync(clusterDir);
  return uid === 0 ? undefined : { uid, gid, name: `uid ${uid}` };
};

/** Creates the link before the cluster, so that a start after an interrupted one finds the path. */
const linkToSystemDataDir = (clusterPath: string): string => {
  const linked = isLink(clusterPath) ? readlinkSync(clusterPath) : undefined;
  if (linked !== undefined && dirname(linked) === openSystemDataDir()) return linked;
  // A new path each time, so that two data directories never share a cluster.
  const target = join(openSystemDataDir(), `postgres-data-${randomUUID()}`);
  rmSync(clusterPath, { force: true });
  symlinkSync(target, clusterPath);
  return target;
};

const chooseClusterDir = (dataDir: string, clusterPath: string, account: Account): string => {
  const existing = toRealPath(clusterPath);
  if (existing === undefined) {
    return !isLink(clusterPath) && canEnter(dataDir, account)
      ? clusterPath
      : linkToSystemDataDir(clusterPath);
  }
  if (canEnter(existing, account)) return existing;
  throw new StackError(
    `The account ${account.name}, as which PostgreSQL runs, cannot access ${existing}. Grant it access (chmod o+x on its parents), or move ` +
      'the directory to an accessible place and create a link to it.',
  );
};

/**
 * Finds or chooses PostgreSQL's account and data directory. If the stack runs as root, PostgreSQL gets
 * another account, and a directory that it can access.
 * @throws StackError if there are none
 */
export const resolvePostgresPaths = (dataDir: string): PostgresPaths => {
  const clusterPath = join(dataDir, 'postgres');
  if (!runsAsRoot()) return { clusterPath, clusterDir: toRealPath(clusterPath) ?? clusterPath };
  const account = findOwner(toRealPath(clusterPath)) ?? chooseAccount();
  const clusterDir = chooseClusterDir(dataDir, clusterPath, account);
  return { clusterPath, clusterDir, account };
};
