import { readFileSync, realpathSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLineOf, isAlive, processesIn } from '../process-identity.ts';
import { errorCode, StackError } from '../stack-error.ts';

const pollMilliseconds = 50;

const readPid = (clusterDir: string): number | undefined => {
  try {
    return Number.parseInt(readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8'), 10) || undefined;
  } catch {
    return undefined; // no PostgreSQL runs here, and none was killed here
  }
};

const programOf = (pid: number): string => {
  const [program = ''] = commandLineOf(pid);
  return basename(program);
};

/** Process ids come round again, so the arguments must name PostgreSQL and this directory, too. */
const isPostmasterOf = (pid: number, clusterDir: string): boolean =>
  /^postgres(\.exe)?$/.test(programOf(pid)) && commandLineOf(pid).includes(clusterDir);

/** The id of the PostgreSQL server that runs on the data directory now. */
export const findPostmaster = (clusterDir: string): number | undefined => {
  const pid = readPid(clusterDir);
  return pid !== undefined && isPostmasterOf(pid, clusterDir) ? pid : undefined;
};

/** Server processes of the directory, those included whose postmaster was killed and who have not noticed yet. */
const serverProcesses = (clusterDir: string): number[] =>
  processesIn(clusterDir).filter((pid) => programOf(pid).startsWith('postgres'));

const send = (pid: number, signal: NodeJS.Signals) => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error; // gone by itself meanwhile
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

/** Fast shutdown first, then the immediate one, which leaves the rest to crash recovery. */
const stopPostmaster = async (pid: number, clusterDir: string): Promise<void> => {
  const isGone = () => !isPostmasterOf(pid, clusterDir);
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    send(pid, signal);
    if (await waitUntil(isGone, 8)) return;
  }
  throw new StackError(`PostgreSQL of an earlier run (process ${pid}, on ${clusterDir}) cannot be stopped.`);
};

/**
 * Clears the way for a start on the data directory: ends a PostgreSQL that an earlier stack left running, waits for its
 * last processes, which still hold the shared memory, and removes a lock file whose process id is another's by now.
 * @throws StackError when something of it cannot be ended
 */
export const stopLeftoverPostgres = async (clusterPath: string): Promise<void> => {
  const pid = readPid(clusterPath);
  if (pid === undefined) return;
  const clusterDir = realpathSync(clusterPath);
  if (isPostmasterOf(pid, clusterDir)) await stopPostmaster(pid, clusterDir);
  const areGone = () => serverProcesses(clusterDir).length === 0;
  if (!(await waitUntil(areGone, 2))) {
    for (const orphan of serverProcesses(clusterDir)) send(orphan, 'SIGKILL');
    if (!(await waitUntil(areGone, 5))) {
      throw new StackError(`Processes of an earlier PostgreSQL still hold ${clusterDir}.`);
    }
  }
  // PostgreSQL itself only asks whether the id exists, and would refuse to start for ever.
  const lockFile = join(clusterDir, 'postmaster.pid');
  if (readPid(clusterDir) === pid && isAlive(pid)) rmSync(lockFile, { force: true });
};
