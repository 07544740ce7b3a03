import { readdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { findSystemDataDirs } from './postgres-paths.ts';
import { findPostmaster } from './stale-postgres.ts';

// A database outside of its data directory (postgres-paths.ts) outlives the deletion of that directory.
// Therefore a link next to each such database names its data directory.

const suffix = '.data-dir';

/** A database that its data directory no longer links to. `pid`: the PostgreSQL that still runs on it. */
type OrphanedDatabase = { clusterDir: string; dataDir: string; pid: number | undefined };

const readLink = (path: string): string | undefined => {
  try {
    return readlinkSync(path);
  } catch {
    return undefined; // missing, or not a link
  }
};

/**
 * Records the data directory of a database in the system data directory. Each start does so, because a
 * checkout may have been moved.
 */
export const recordDataDir = (clusterDir: string, dataDir: string, parents?: string[]): void => {
  const record = `${clusterDir}${suffix}`;
  if (!findSystemDataDirs(parents).includes(dirname(clusterDir)) || readLink(record) === dataDir) return;
  const temporary = `${record}.${process.pid}`;
  rmSync(temporary, { force: true });
  symlinkSync(dataDir, temporary);
  renameSync(temporary, record);
};

/** Deletes a database in the system data directory: the record last, so that it can be repeated. */
export const deleteDatabase = (clusterDir: string): void => {
  const folder = dirname(clusterDir);
  const isPart = (name: string) => name.startsWith(basename(clusterDir)) && !name.endsWith(suffix);
  for (const name of readdirSync(folder).filter(isPart))
    rmSync(join(folder, name), { recursive: true, force: true });
  rmSync(`${clusterDir}${suffix}`, { force: true });
};

/** Databases of deleted data directories. @param parents see `openSystemDataDir` */
export const listOrphanedDatabases = (parents?: string[]): OrphanedDatabase[] =>
  findSystemDataDirs(parents).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(suffix))
      .flatMap((name) => {
        const clusterDir = join(folder, name.slice(0, -suffix.length));
        const dataDir = readLink(join(folder, name));
        if (dataDir === undefined || readLink(join(dataDir, 'postgres')) === clusterDir) return [];
        return { clusterDir, dataDir, pid: findPostmaster(clusterDir) };
      }),
  );

/** A line for each database, and how to delete them; empty without orphaned databases. */
export const describeOrphanedDatabases = (orphans: readonly OrphanedDatabase[]): string[] =>
  orphans.length === 0
    ? []
    : [
        'Databases whose data folder no longer exists; npm run reset -- --orphans deletes them:',
        ...orphans.map(({ clusterDir, dataDir }) => `  ${clusterDir} (of ${dataDir})`),
      ];
