import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeFileAtomically } from './data-dir.ts';
import { getCommandLine, isAlive } from './process-identity.ts';
import { StackError, toErrorMessage } from './stack-error.ts';

const lockName = 'stack.lock';
const pidName = 'stack.pid';

/** Whether a stack has ever used the directory. */
export const isDataDir = (directory: string): boolean => existsSync(join(directory, lockName));

/** `afterCrash`: the previous stack on the directory did not stop cleanly. */
export type StackLock = { afterCrash: boolean; release(): void };

const sqliteBusy = 5;

/**
 * The lock is an exclusive SQLite transaction, which the kernel releases when its holder dies, on every
 * platform. So there are no stale locks or reused process ids to detect.
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
    throw new StackError(
      `${file} cannot be locked (${toErrorMessage(error)}): does it belong to another user?`,
    );
  }
};

const readPid = (file: string): number | undefined => {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
};

/**
 * Process ids are reused, so the command line must also be that of a stack. Windows has no command lines to
 * check.
 */
export const isStackProcess = (pid: number): boolean =>
  isAlive(pid) &&
  (process.platform === 'win32' ||
    getCommandLine(pid).some((part) => /(^|\/)dev\/(?:start|test-bench)\.ts$/.test(part)));

/**
 * The holder writes its process id after it acquires the lock, so a stack that is started at the same time
 * has to retry.
 */
const findHolder = async (pidFile: string): Promise<number | undefined> => {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const pid = readPid(pidFile);
    if (pid !== undefined && isStackProcess(pid)) return pid;
    await sleep(50);
  }
  return undefined;
};

/**
 * Locks the data directory for this process.
 * @throws StackError that names the process that holds the lock
 */
export const lockDataDir = async (dataDir: string): Promise<StackLock> => {
  const pidFile = join(dataDir, pidName);
  const lock = tryLock(join(dataDir, lockName));
  if (!lock) {
    const pid = (await findHolder(pidFile)) ?? 'unknown';
    throw new StackError(
      `A stack already runs on ${dataDir}, as process ${pid}. Stop it first (Ctrl-C in its terminal, or ` +
        `npm run stop), or start this one with another DATA_DIR and other ports.`,
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

/**
 * Locks an existing data directory unless a stack runs on it.
 * @returns the lock, or the process id of the stack
 * @throws StackError if the process of the stack is unknown, or the directory belongs to another user
 */
export const tryLockDataDir = async (
  dataDir: string,
): Promise<{ release(): void; stackPid?: undefined } | { stackPid: number }> => {
  const lock = tryLock(join(dataDir, lockName));
  if (lock) return { release: () => lock.close() };
  const stackPid = await findHolder(join(dataDir, pidName));
  if (stackPid !== undefined) return { stackPid };
  throw new StackError(`A stack runs on ${dataDir}, but its process is unknown; stop it in its terminal.`);
};
