import { accessSync, chmodSync, constants, lstatSync, mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { errorCode, StackError } from '../stack-error.ts';

const folder = 'marketplace-platform';
const writableByOthers = 0o022;
const sticky = 0o1000;

/** Creates the directory, or returns false where nothing can be written. */
const create = (directory: string): boolean => {
  try {
    mkdirSync(directory);
    chmodSync(directory, 0o711); // whatever the umask is, PostgreSQL's account must pass through
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') return false;
  }
  try {
    accessSync(directory, constants.W_OK); // a read-only file system stops root, too
    return true;
  } catch {
    return false;
  }
};

/** In /tmp anyone may have been there first: with a directory of their own, or with a link to somebody's. */
const verify = (directory: string): void => {
  const entry = lstatSync(directory);
  const parent = statSync(dirname(directory));
  const isOurs =
    entry.isDirectory() && entry.uid === process.getuid?.() && (entry.mode & writableByOthers) === 0;
  const isParentSafe = (parent.mode & writableByOthers) === 0 || (parent.mode & sticky) !== 0;
  if (isOurs && isParentSafe) return;
  throw new StackError(
    `${directory} is not a directory that belongs to root and that only root can write: it is not used. Remove it, ` +
      'and start again.',
  );
};

/**
 * A directory of root's that PostgreSQL's account can reach, for when the checkout or the data directory is not.
 * @throws StackError when there is none, or somebody else's has its name
 */
export const openOutsideHome = (parents: string[] = ['/var/lib', tmpdir()]): string => {
  const home = parents.map((parent) => join(parent, folder)).find(create);
  if (!home) throw new StackError(`No directory could be created below ${parents.join(' or ')}.`);
  verify(home);
  return home;
};
