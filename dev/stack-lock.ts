import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './process-identity.ts';
import { errorText, StackError } from './stack-error.ts';
import { writeFileAtomically } from './write-file-atomically.ts';

/** `afterCrash`: the stack that held the directory before did not stop cleanly. */
export type StackLock = { afterCrash: boolean; release(): void };

const sqliteBusy = 5;

/**
 * An exclusive SQLite transaction is a lock that the kernel gives back when its holder dies, however it dies, on every
 * platform: no stale lock to judge, no process id that might be another's by now.
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

/** The holder writes its id just after it has the lock, so a contender of the same instant looks again. */
const findHolder = async (pidFile: string): Promise<number | undefined> => {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const pid = readPid(pidFile);
    if (pid !== undefined && isAlive(pid)) return pid;
    await sleep(50);
  }
  return undefined;
};

/**
 * Takes the data directory for this process.
 * @throws StackError naming the process that has it
 */
export const lockDataDir = async (dataDir: string): Promise<StackLock> => {
  const pidFile = join(dataDir, 'stack.pid');
  const lock = tryLock(join(dataDir, 'stack.lock'));
  if (!lock) {
    const pid = (await findHolder(pidFile)) ?? 'unknown';
    throw new StackError(
      `A stack already runs on ${dataDir}, as process ${pid}. Stop that one first (Ctrl-C in its window, or ` +
        `kill ${pid}), or run this one beside it: DATA_DIR=<another directory> and other ports.`,
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
