import type { StatsFs } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { STACK_SECONDS } from '../src/async/patience.ts';
import { PROCESS_FILE } from './data-directory.ts';
import { waitFor } from './poll.ts';
import { removeData } from './stack.ts';

/** In a parallel run `stop` runs after each file, in a serial run once. */
type Preparation = { start: () => Promise<unknown>; stop?: () => Promise<void> };
const preparations: Preparation[] = [];

/** Modules call this when they are loaded. `start` runs before the tests, outside their timeouts. */
export const prepareBeforeTests = (preparation: Preparation): void => {
  preparations.push(preparation);
};

export const startPreparations = async (): Promise<void> => {
  for (const { start } of preparations) await start();
};

export const stopPreparations = async (): Promise<void> => {
  for (const { stop } of preparations) await stop?.();
};

const MEMORY = '/dev/shm';
/** The databases of a run take some hundred megabytes. */
const REQUIRED_BYTES = 8 * 1_024 ** 3;

const hasMemory = async (): Promise<boolean> => {
  const { bavail = 0, bsize = 0 } = await statfs(MEMORY).catch(() => ({}) as Partial<StatsFs>);
  return bavail * bsize >= REQUIRED_BYTES;
};

const createDirectory = async (parent: string): Promise<string> => {
  const directory = await mkdtemp(join(parent, 'platform-tests-'));
  await chmod(directory, 0o755); // Postgres runs as another account when the tests run as root.
  return directory;
};

/**
 * Creates the directories for all temporary data of this run. Processes inherit the first as TMPDIR. The data
 * of engines is in memory if possible: on a disk, most of the time of PostgreSQL is the copying of databases.
 */
export const createRunDirectories = async (): Promise<string[]> => {
  const directory = await createDirectory(tmpdir());
  process.env['TMPDIR'] = directory;
  // record-responses.ts writes to this directory.
  process.env['RESPONSE_RECORDS'] = join(directory, 'responses');
  await mkdir(process.env['RESPONSE_RECORDS']);
  if (!(await hasMemory())) return [directory];
  const memory = await createDirectory(MEMORY);
  process.env['TEST_DATA_PARENT'] = memory;
  return [directory, memory];
};

/** A stack writes its pid, too, because some tests spawn one without registering it. */
const readPids = async (dataDir: string): Promise<number[]> => {
  const read = (name: string) => readFile(join(dataDir, name), 'utf8').catch(() => 0);
  return (await Promise.all([PROCESS_FILE, 'stack.pid'].map(read))).map(Number);
};

const signal = (pid: number, name: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(pid, name);
  } catch {
    return false; // it has exited
  }
};

/**
 * Stops the engines and stacks of the run, including those that a failed test has left, and deletes all data.
 */
export const removeRunDirectories = async (directories: readonly string[]): Promise<void> => {
  const list = async (directory: string) => (await readdir(directory)).map((name) => join(directory, name));
  const dataDirs = (await Promise.all(directories.map(list))).flat();
  const pids = (await Promise.all(dataDirs.map(readPids))).flat().filter((pid) => pid > 0);
  for (const pid of pids) signal(pid, 'SIGTERM');
  await waitFor('the stacks have stopped', () => !pids.some((pid) => signal(pid, 0)), STACK_SECONDS);
  for (const directory of directories) await removeData(directory);
};
