import { randomUUID } from 'node:crypto';
import { lstatSync, readlinkSync, realpathSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Account } from '../child-process.ts';
import { errorCode, StackError } from '../stack-error.ts';
import { canEnter, chooseAccount, openSystemDataDir, runsAsRoot } from './postgres-account.ts';
import { preparePostgresBinaries } from './postgres-binaries.ts';

/**
 * PostgreSQL's directories and account. `clusterDir` is its real data directory (absent before the first start);
 * `clusterPath`, in the data directory of the stack, is the same directory or a link to it.
 */
export type PostgresPaths = {
  nativeDir: string;
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

/** The account that owns an existing cluster: PostgreSQL requires it. */
const findOwner = (clusterDir: string | undefined): Account | undefined => {
  if (clusterDir === undefined) return undefined;
  const { uid, gid } = statSync(clusterDir);
  return uid === 0 ? undefined : { uid, gid, name: `uid ${uid}` };
};

/** A new path each time, so that no two data directories share a cluster. */
const createExternalPath = (): string => join(openSystemDataDir(), `postgres-data-${randomUUID()}`);

const moveToSystemDataDir = (clusterDir: string, clusterPath: string): string => {
  const target = createExternalPath();
  try {
    renameSync(clusterDir, target);
  } catch (error) {
    if (errorCode(error) !== 'EXDEV') throw error;
    throw new StackError(
      `The account that owns ${clusterDir} has no access to a parent directory of it. Grant it (chmod o+x), or move ` +
        `the directory to an accessible place and create a link to it.`,
    );
  }
  symlinkSync(target, clusterPath);
  return target;
};

/** The link is created before the cluster, so that a start after an interrupted one finds the path. */
const linkToSystemDataDir = (clusterPath: string): string => {
  const linked = isLink(clusterPath) ? readlinkSync(clusterPath) : undefined;
  if (linked !== undefined && dirname(linked) === openSystemDataDir()) return linked;
  const target = createExternalPath();
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
  if (!isLink(clusterPath)) return moveToSystemDataDir(existing, clusterPath);
  throw new StackError(`The PostgreSQL account ${account.name} cannot access ${existing}.`);
};

/**
 * Finds or chooses PostgreSQL's account, binaries and data directory. When the stack runs as root, these are another
 * account, and directories that it can access.
 * @throws StackError when there are none
 */
export const resolvePostgresPaths = async (dataDir: string): Promise<PostgresPaths> => {
  const clusterPath = join(dataDir, 'postgres');
  if (!runsAsRoot()) {
    const nativeDir = await preparePostgresBinaries(dataDir);
    return { nativeDir, clusterPath, clusterDir: toRealPath(clusterPath) ?? clusterPath };
  }
  const account = findOwner(toRealPath(clusterPath)) ?? chooseAccount();
  const clusterDir = chooseClusterDir(dataDir, clusterPath, account);
  const nativeDir = await preparePostgresBinaries(dataDir, account);
  return { nativeDir, clusterPath, clusterDir, account };
};
