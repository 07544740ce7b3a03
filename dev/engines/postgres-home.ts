import { createHash } from 'node:crypto';
import { lstatSync, readlinkSync, realpathSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Account } from '../child-run.ts';
import { errorCode, StackError } from '../stack-error.ts';
import { openOutsideHome } from './outside-home.ts';
import { canEnter, chooseAccount, runsAsRoot } from './postgres-account.ts';
import { preparePostgresBinaries } from './postgres-binaries.ts';
import { stopLeftoverPostgres } from './postgres-leftover.ts';

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

/** The same for each start on one data directory, so that a second start finds the data. */
const outsidePlace = (dataDir: string): string => {
  const key = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return join(openOutsideHome(), `postgres-data-${key}`);
};

/** Nothing refers to what may lie there: it was left by a data directory of the same name that is gone. */
const clear = async (place: string): Promise<void> => {
  await stopLeftoverPostgres(place);
  rmSync(place, { recursive: true, force: true });
};

const moveOutside = (clusterDir: string, clusterPath: string, place: string): void => {
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
};

const choosePlace = async (dataDir: string, clusterPath: string, account: Account): Promise<string> => {
  const existing = realPathOf(clusterPath);
  if (existing !== undefined && canEnter(existing, account)) return existing;
  if (existing === undefined && !isLink(clusterPath) && canEnter(dataDir, account)) return clusterPath;
  const place = outsidePlace(dataDir);
  if (existing !== undefined) {
    if (isLink(clusterPath)) throw new StackError(`The account ${account.name} cannot enter ${existing}.`);
    await clear(place);
    moveOutside(existing, clusterPath, place);
    return place;
  }
  if (isLink(clusterPath) && resolve(dataDir, readlinkSync(clusterPath)) === place) return place;
  rmSync(clusterPath, { force: true });
  await clear(place);
  symlinkSync(place, clusterPath);
  return place;
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
  const clusterDir = await choosePlace(dataDir, clusterPath, account);
  const nativeDir = await preparePostgresBinaries(dataDir, account);
  return { nativeDir, clusterPath, clusterDir, account };
};
