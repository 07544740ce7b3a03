import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

// Process statistics from /proc, which only Linux has.

export const canReadProcesses = process.platform === 'linux';

/** Resident memory, in megabytes. */
export const readMemory = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

let ticks: number | undefined;
const ticksPerSecond = (): number => {
  ticks ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return ticks;
};

type Stat = { parent: number; seconds: number };

/** The command name, in brackets, may contain any character; only numbers follow it. */
export const parseStat = (stat: string, perSecond: number): Stat => {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { parent: Number(fields[1]), seconds: (Number(fields[11]) + Number(fields[12])) / perSecond };
};

const readStat = (pid: string): Stat | undefined => {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'), ticksPerSecond());
  } catch {
    return undefined; // the process has exited
  }
};

/** Processor time of a process and its children, such as PostgreSQL backends, in seconds. */
export const readProcessorSeconds = (pid: number): number => {
  let seconds = readStat(String(pid))?.seconds ?? 0;
  for (const other of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = readStat(other);
    if (stat?.parent === pid) seconds += stat.seconds;
  }
  return seconds;
};
