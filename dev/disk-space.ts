import { realpathSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { runsAsRoot } from './engines/postgres-paths.ts';
import { StackError } from './stack-error.ts';

/** Codes of Node and PostgreSQL, messages of the C library, and a hint of PostgreSQL, which its log shows after the message. */
const isFull =
  /code: '(?:ENOSPC|EDQUOT|53100)'|no space left on device|disk quota exceeded|check free disk space/i;
/** Less than PostgreSQL writes at once. */
const minBytes = 64 * 1024;

const hasSpace = (directory: string): boolean => {
  const { bsize, bfree, bavail, files, ffree } = statfsSync(directory);
  const blocks = runsAsRoot() ? bfree : bavail; // the difference is reserved for root
  return blocks * bsize >= minBytes && (files === 0 || ffree > 0); // some file systems count no files
};

/** The data directory, and that of PostgreSQL, which may be on another disk. */
const findDirectories = (dataDir: string): string[] =>
  [dataDir, join(dataDir, 'postgres')].flatMap((path) => {
    try {
      return [realpathSync(path)];
    } catch {
      return []; // not created yet
    }
  });

const toError = (directory: string): StackError =>
  new StackError(
    `The disk of ${directory} is full: free some space, or set DATA_DIR to a folder on another disk. ` +
      'The data of a new stack needs about 100 MB.',
  );

/** An error that names the full disk of the data directory; undefined if it is not full. */
export const findFullDisk = (dataDir: string): StackError | undefined => {
  const directory = findDirectories(dataDir).find((each) => !hasSpace(each));
  return directory === undefined ? undefined : toError(directory);
};

/** Whether an error, its cause or one of its inner errors says that a disk is full. */
export const isFullDisk = (error: unknown): boolean => isFull.test(inspect(error));

/**
 * Replaces an error by one that names the full disk, if that is the reason. A failed initdb has already freed its space, so
 * the error counts, too; and a process may exit without one, because its log is on that disk.
 */
export const explainFullDisk = (error: unknown, dataDir: string): unknown =>
  findFullDisk(dataDir) ?? (isFullDisk(error) ? toError(dataDir) : error);
