import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@platform/shared/testing/poll';
import { findProcessesIn } from '../process-identity.ts';
import { errorCode } from '../stack-error.ts';

const readEnvironment = (pid: number): string[] => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return []; // exited, or of another user
  }
};

/** The processes of a data directory, including orphans. Linux only. */
export const listStackProcesses = (dataDir: string): number[] => {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const ours = pids.map(Number).filter((pid) => readEnvironment(pid).includes(`DATA_DIR=${dataDir}`));
  const cluster = join(dataDir, 'postgres');
  return [...ours, ...(existsSync(cluster) ? findProcessesIn(realpathSync(cluster)) : [])];
};

/** Kills the processes that a test left behind, and waits until they have exited. */
export const killStackProcesses = async (dataDir: string): Promise<void> => {
  for (const pid of listStackProcesses(dataDir)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (errorCode(error) !== 'ESRCH') throw error;
    }
  }
  await waitFor('every process of the stack has exited', () => listStackProcesses(dataDir).length === 0);
};
