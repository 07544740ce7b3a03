import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

type Stat = { parent: number; ticks: number; reapedTicks: number };

/** The command name, in brackets, may contain any character; only numbers follow it. */
const parseStat = (stat: string): Stat => {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const sum = (first: number) => Number(fields[first]) + Number(fields[first + 1]);
  return { parent: Number(fields[1]), ticks: sum(11), reapedTicks: sum(13) };
};

/** Undefined if the process has exited. */
const readStat = (pid: string): Stat | undefined => {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
};

/** Nanoseconds, because the ticks of /proc/<pid>/stat lose up to 10 ms for each of about forty backends. */
const readThreads = (pid: string): number => {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .map((thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]))
      .reduce((sum, nanoseconds) => sum + nanoseconds / 1e9, 0);
  } catch {
    return 0;
  }
};

/** The ticks include threads that have exited, such as those that hashed passwords. */
const readLive = (pid: string, perSecond: number): number =>
  Math.max(readThreads(pid), (readStat(pid)?.ticks ?? 0) / perSecond);

let clockTicks: number | undefined;

/**
 * The processor time in seconds of a process and its children, such as PostgreSQL backends, including those
 * that have exited. Linux only.
 */
export const readProcessorSeconds = (pid: number): number => {
  clockTicks ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  const ticksPerSecond = clockTicks;
  const children = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && readStat(name)?.parent === pid,
  );
  const live = [String(pid), ...children].reduce((sum, each) => sum + readLive(each, ticksPerSecond), 0);
  return live + (readStat(String(pid))?.reapedTicks ?? 0) / ticksPerSecond;
};

/** The sum of all cores, in milliseconds. */
const readMachine = () => {
  const times = cpus().map(
    ({ times: { idle, user, nice, sys, irq } }) => [idle, user + nice + sys + irq] as const,
  );
  const sum = (index: 0 | 1) => times.reduce((total, time) => total + time[index], 0);
  return { idle: sum(0), busy: sum(1) };
};

/** The used share of the machine's processor time, measured for some seconds. */
export const measureMachineLoad = async (seconds: number): Promise<number> => {
  const before = readMachine();
  await delay(seconds * 1_000);
  const after = readMachine();
  const busy = after.busy - before.busy;
  return busy / (busy + after.idle - before.idle);
};
