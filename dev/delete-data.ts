import { lstatSync, readdirSync, readlinkSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deleteDatabase } from './engines/orphaned-databases.ts';
import { findSystemDataDirs } from './engines/postgres-paths.ts';
import { StackError, toErrorMessage } from './stack-error.ts';
import { tryLockDataDir } from './stack-lock.ts';

/** The entries of a data directory that a stack creates. */
const ownEntries = [
  /^postgres(\.new-\d+)?$/,
  /^postgres-binaries-/,
  /^(inbox|logs|pages|start-page)$/,
  /^(secrets\.json|stack\.(json|pid))(\.\d+\.new)?$/,
  /^stack\.lock(-journal)?$/,
];

const isOwn = (name: string): boolean => ownEntries.some((pattern) => pattern.test(name));

/** If the stack runs as root, `postgres` may be a link to a directory that the stack created elsewhere. */
const findLinkedCluster = (dataDir: string): string | undefined => {
  const path = join(dataDir, 'postgres');
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined;
};

const isCreatedByStack = (clusterDir: string): boolean =>
  findSystemDataDirs().includes(dirname(clusterDir)) && /\/postgres-data-[\w-]+$/.test(clusterDir);

const deleteEntries = (dataDir: string): void => {
  const cluster = findLinkedCluster(dataDir);
  if (cluster !== undefined && isCreatedByStack(cluster)) deleteDatabase(cluster);
  // The lock is deleted last, so that an interrupted reset can be repeated.
  const names = readdirSync(dataDir).filter(isOwn).sort();
  for (const name of names.filter((each) => !each.startsWith('stack.lock')))
    rmSync(join(dataDir, name), { recursive: true, force: true });
};

const describeKept = (dataDir: string, cluster: string | undefined): string[] => {
  const kept = readdirSync(dataDir);
  if (kept.length === 0) rmdirSync(dataDir);
  return [
    ...(kept.length > 0 ? [`Kept in ${dataDir}, because no stack created it: ${kept.join(', ')}`] : []),
    ...(cluster !== undefined ? [`Kept ${cluster}, to which ${join(dataDir, 'postgres')} was a link.`] : []),
  ];
};

/**
 * Deletes only what stacks have created in the data directory.
 * @returns what was done, in lines
 * @throws StackError if a stack runs on the directory, or a file cannot be deleted
 */
export const deleteData = async (dataDir: string): Promise<string[]> => {
  const lock = await tryLockDataDir(dataDir);
  if (lock.stackPid !== undefined)
    throw new StackError(
      `A stack was started on ${dataDir} (process ${lock.stackPid}), so nothing is deleted.`,
    );
  const linked = findLinkedCluster(dataDir);
  const foreign = linked !== undefined && !isCreatedByStack(linked) ? linked : undefined;
  try {
    deleteEntries(dataDir);
  } catch (error) {
    throw new StackError(`The data in ${dataDir} cannot be deleted completely: ${toErrorMessage(error)}`);
  } finally {
    lock.release();
  }
  for (const name of ['stack.lock', 'stack.lock-journal']) rmSync(join(dataDir, name), { force: true });
  return [`Deleted the data in ${dataDir}.`, ...describeKept(dataDir, foreign)];
};
