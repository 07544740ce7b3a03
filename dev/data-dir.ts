import { accessSync, chmodSync, constants, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeFileAtomically } from './data-files.ts';
import { runsAsRoot } from './engines/postgres-account.ts';
import { isAlive } from './process-identity.ts';
import { errorText, StackError } from './stack-error.ts';

/**
 * Creates the data directory and its log folder if needed.
 * @returns the real path
 * @throws StackError when it cannot be created or written
 */
export const openDataDir = (path: string): string => {
  try {
    const created = mkdirSync(path, { recursive: true });
    // As root, PostgreSQL runs as another account, which has to traverse the directory; private files have their own mode.
    if (created) chmodSync(path, runsAsRoot() ? 0o711 : 0o700);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    const dataDir = realpathSync(path);
    mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o700 });
    return dataDir;
  } catch (error) {
    throw new StackError(
      `The data directory ${path} cannot be used: ${errorText(error)}. Set DATA_DIR to another one.`,
    );
  }
};

/** `afterCrash`: the previous stack of the directory did not stop cleanly. */
export type StackLock = { afterCrash: boolean; release(): void };

const sqliteBusy = 5;

/**
 * An exclusive SQLite transaction is a lock that the kernel releases when its holder dies, on every platform: there are no
 * stale locks and no reused process ids to detect.
 */
const tryLock = (file: string): DatabaseSync | undefined => {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file);
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return undefined;
    throw new StackError(`${file} cannot be locked (${errorText(error)}): does it belong to another user?`);
  }
};

const readPid = (file: string): number | undefined => {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
};

/** The holder writes its process id after it acquires the lock, so a stack started at the same time has to retry. */
const findHolder = async (pidFile: string): Promise<number | undefined> => {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const pid = readPid(pidFile);
    if (pid !== undefined && isAlive(pid)) return pid;
    await sleep(50);
  }
  return undefined;
};

/**
 * Locks the data directory for this process.
 * @throws StackError naming the process that holds the lock
 */
export const lockDataDir = async (dataDir: string): Promise<StackLock> => {
  const pidFile = join(dataDir, 'stack.pid');
  const lock = tryLock(join(dataDir, 'stack.lock'));
  if (!lock) {
    const pid = (await findHolder(pidFile)) ?? 'unknown';
    throw new StackError(
      `A stack already runs on ${dataDir}, as process ${pid}. Stop it first (Ctrl-C in its terminal, or ` +
        `kill ${pid}), or start this one with another DATA_DIR and other ports.`,
    );
  }
  const afterCrash = readPid(pidFile) !== undefined;
  writeFileAtomically(pidFile, String(process.pid));
  return {
    afterCrash,
    release: () => {
      rmSync(pidFile, { force: true });
      lock.close();
    },
  };
};
