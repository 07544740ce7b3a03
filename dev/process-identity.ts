import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

const hasProc = existsSync('/proc/self/cmdline');

const ps = (pid: number, column: string): string | undefined => {
  if (process.platform === 'win32') return undefined;
  const { status, stdout } = spawnSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
};

const readProc = (pid: number, file: string): string | undefined => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined; // the process has exited, or belongs to another user
  }
};

/** Whether a process has this id; a zombie counts, too. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

/** The command line of a process; empty if it does not exist or is a zombie. */
export const getCommandLine = (pid: number): string[] => {
  const text = hasProc ? readProc(pid, 'cmdline') : ps(pid, 'args');
  return text ? text.split(hasProc ? '\0' : ' ').filter((part) => part !== '') : [];
};

export const getParentPid = (pid: number): number | undefined => {
  // The second field, the name, may contain spaces and brackets, so parse the fields after the last bracket.
  const stat = hasProc ? readProc(pid, 'stat') : undefined;
  const text = hasProc ? stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[1] : ps(pid, 'ppid');
  return text ? Number(text) : undefined;
};

const listPids = (): number[] => {
  if (hasProc)
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  if (process.platform === 'win32') return [];
  return spawnSync('ps', ['-axo', 'pid='], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean)
    .map(Number);
};

/** Processes whose working directory is `directory`; empty on systems other than Linux. */
export const findProcessesIn = (directory: string): number[] => {
  if (!hasProc) return [];
  return listPids().filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === directory;
    } catch {
      return false;
    }
  });
};

/** Processes that have a path in `directory` among their arguments; empty on Windows. */
export const findProcessesWith = (directory: string): number[] =>
  listPids().filter((pid) => getCommandLine(pid).some((part) => part.startsWith(`${directory}/`)));
