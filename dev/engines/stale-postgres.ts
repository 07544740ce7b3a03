import { readFileSync, realpathSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROCESS_SECONDS } from '@platform/shared/async/patience';
import { findProcessesIn, getCommandLine, isAlive } from '../process-identity.ts';
import { errorCode, StackError } from '../stack-error.ts';

const pollMilliseconds = 50;

const readPid = (clusterDir: string): number | undefined => {
  try {
    return Number.parseInt(readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8'), 10) || undefined;
  } catch {
    return undefined; // no PostgreSQL is running, and none was killed
  }
};

const getProgram = (pid: number): string => {
  const [program = ''] = getCommandLine(pid);
  return basename(program);
};

/** Process ids are reused, so the command line must also contain PostgreSQL and this directory. */
const isPostmaster = (pid: number, clusterDir: string): boolean =>
  /^postgres(\.exe)?$/.test(getProgram(pid)) && getCommandLine(pid).includes(clusterDir);

/** The id of the PostgreSQL server that is running on the data directory. */
export const findPostmaster = (clusterDir: string): number | undefined => {
  const pid = readPid(clusterDir);
  return pid !== undefined && isPostmaster(pid, clusterDir) ? pid : undefined;
};

/**
 * Server processes of the directory, including those that have not noticed yet that their postmaster was
 * killed.
 */
const serverProcesses = (clusterDir: string): number[] =>
  findProcessesIn(clusterDir).filter((pid) => getProgram(pid).startsWith('postgres'));

const send = (pid: number, signal: NodeJS.Signals) => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error; // it has exited
  }
};

const waitUntil = async (isDone: () => boolean, seconds: number): Promise<boolean> => {
  const deadline = Date.now() + seconds * 1000;
  while (!isDone()) {
    if (Date.now() > deadline) return false;
    await sleep(pollMilliseconds);
  }
  return true;
};

/** Tries a fast shutdown, then an immediate one, which requires crash recovery. */
const stopPostmaster = async (pid: number, clusterDir: string): Promise<void> => {
  const hasExited = () => !isPostmaster(pid, clusterDir);
  for (const [signal, seconds] of [
    ['SIGINT', PROCESS_SECONDS / 4],
    ['SIGQUIT', PROCESS_SECONDS / 4],
    ['SIGKILL', PROCESS_SECONDS],
  ] as const) {
    send(pid, signal);
    if (await waitUntil(hasExited, seconds)) return;
  }
  throw new StackError(`The PostgreSQL of an earlier run (process ${pid}, on ${clusterDir}) does not stop.`);
};

/**
 * Prepares a data directory for a start: stops the PostgreSQL of an earlier stack, waits for its processes,
 * which still hold the shared memory, and removes a lock file whose process id was reused.
 * @throws StackError if a process does not stop
 */
export const stopStalePostgres = async (clusterPath: string): Promise<void> => {
  const pid = readPid(clusterPath);
  if (pid === undefined) return;
  const clusterDir = realpathSync(clusterPath);
  if (isPostmaster(pid, clusterDir)) await stopPostmaster(pid, clusterDir);
  const haveExited = () => serverProcesses(clusterDir).length === 0;
  if (!(await waitUntil(haveExited, 2))) {
    for (const orphan of serverProcesses(clusterDir)) send(orphan, 'SIGKILL');
    if (!(await waitUntil(haveExited, PROCESS_SECONDS))) {
      throw new StackError(`Processes of an earlier PostgreSQL still use ${clusterDir}.`);
    }
  }
  // PostgreSQL checks only whether the process id exists, and would never start.
  const lockFile = join(clusterDir, 'postmaster.pid');
  if (readPid(clusterDir) === pid && isAlive(pid)) rmSync(lockFile, { force: true });
};
