import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

type Stat = { parent: number; reapedTicks: number };

/** The command name, in brackets, may contain any character; only numbers follow it. */
export const parseStat = (stat: string): Stat => {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { parent: Number(fields[1]), reapedTicks: Number(fields[13]) + Number(fields[14]) };
};

/** Undefined when the process has exited. */
const readStat = (pid: string): Stat | undefined => {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
};

/** In nanoseconds, because the ticks of /proc/<pid>/stat lose up to 10 ms for each of some forty backends. */
const readThreads = (pid: string): number => {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .map((thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]))
      .reduce((sum, nanoseconds) => sum + nanoseconds / 1e9, 0);
  } catch {
    return 0;
  }
};

let ticksPerSecond: number | undefined;

/**
 * Processor time in seconds of a process and of its children, such as PostgreSQL backends, also of those that have exited.
 * Linux only.
 */
export const readProcessorSeconds = (pid: number): number => {
  ticksPerSecond ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  const children = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && readStat(name)?.parent === pid,
  );
  const live = [String(pid), ...children].reduce((sum, each) => sum + readThreads(each), 0);
  return live + (readStat(String(pid))?.reapedTicks ?? 0) / ticksPerSecond;
};
