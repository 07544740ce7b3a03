import { randomUUID } from 'node:crypto';
import { lstatSync, readlinkSync, realpathSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Account } from '../child-process.ts';
import { errorCode, StackError } from '../stack-error.ts';
import { canEnter, chooseAccount, runsAsRoot } from './postgres-account.ts';
import { preparePostgresBinaries } from './postgres-binaries.ts';
import { openOutsideHome } from './system-data-dir.ts';

/**
 * Where PostgreSQL lives, and as whom. `clusterDir` is its real data directory (absent before the first start);
 * `clusterPath`, below the data directory, is the same one, or a link to it.
 */
export type PostgresHome = {
  nativeDir: string;
  clusterDir: string;
  clusterPath: string;
  account?: Account | undefined;
};

const realPathOf = (path: string): string | undefined => {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
};

const isLink = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

/** The account that owns the cluster, if there is one: the only one that PostgreSQL runs it as. */
const findOwner = (clusterDir: string | undefined): Account | undefined => {
  if (clusterDir === undefined) return undefined;
  const { uid, gid } = statSync(clusterDir);
  return uid === 0 ? undefined : { uid, gid, name: `uid ${uid}` };
};

/** A new one each time: what another data directory refers to is never met, wherever that was moved. */
const newPlace = (): string => join(openOutsideHome(), `postgres-data-${randomUUID()}`);

const moveOutside = (clusterDir: string, clusterPath: string): string => {
  const place = newPlace();
  try {
    renameSync(clusterDir, place);
  } catch (error) {
    if (errorCode(error) !== 'EXDEV') throw error;
    throw new StackError(
      `The account that owns ${clusterDir} can no longer enter it: a directory above it was closed to others. Open ` +
        `it (chmod o+x), or move the directory to where that account may go and leave a link to it.`,
    );
  }
  symlinkSync(place, clusterPath);
  return place;
};

/** The link is made before the cluster: it tells the place to a start that follows an interrupted one. */
const linkOutside = (clusterPath: string): string => {
  const linked = isLink(clusterPath) ? readlinkSync(clusterPath) : undefined;
  if (linked !== undefined && dirname(linked) === openOutsideHome()) return linked;
  const place = newPlace();
  rmSync(clusterPath, { force: true });
  symlinkSync(place, clusterPath);
  return place;
};

const choosePlace = (dataDir: string, clusterPath: string, account: Account): string => {
  const existing = realPathOf(clusterPath);
  if (existing === undefined) {
    return !isLink(clusterPath) && canEnter(dataDir, account) ? clusterPath : linkOutside(clusterPath);
  }
  if (canEnter(existing, account)) return existing;
  if (!isLink(clusterPath)) return moveOutside(existing, clusterPath);
  throw new StackError(`The account ${account.name}, which PostgreSQL runs as, cannot enter ${existing}.`);
};

/**
 * Finds or chooses PostgreSQL's account, binaries and data directory. As root these are an account, and places, which
 * that account can reach.
 * @throws StackError when there are none
 */
export const findPostgresHome = async (dataDir: string): Promise<PostgresHome> => {
  const clusterPath = join(dataDir, 'postgres');
  if (!runsAsRoot()) {
    const nativeDir = await preparePostgresBinaries(dataDir);
    return { nativeDir, clusterPath, clusterDir: realPathOf(clusterPath) ?? clusterPath };
  }
  const account = findOwner(realPathOf(clusterPath)) ?? chooseAccount();
  const clusterDir = choosePlace(dataDir, clusterPath, account);
  const nativeDir = await preparePostgresBinaries(dataDir, account);
  return { nativeDir, clusterPath, clusterDir, account };
};
