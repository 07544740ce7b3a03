import type { RestartableService } from '../platform.ts';

type NamedService = Pick<RestartableService, 'output'>;
type LoggedError = { message?: string; cause?: { message?: string } };
type Line = { time?: string; level?: string; msg?: string; err?: LoggedError };

const parse = (line: string): Line => {
  try {
    return JSON.parse(line) as Line;
  } catch {
    return {};
  }
};

export type LogSummary = {
  /** The bytes that one process logged in its busiest second. */
  maxBytesPerSecond: number;
  /** Lines that are not JSON, and unhandled errors. */
  unexpected: string[];
  /** The number of error lines by process, message and cause. */
  errors: Map<string, number>;
};

const UNHANDLED = /unhandled|uncaught|operations request failed/i;

/** Adds the log of one process to the summary. */
const summarize = (summary: LogSummary, name: string, log: string): void => {
  const perSecond = new Map<string, number>();
  for (const text of log.split('\n').filter(Boolean)) {
    const { time, level, msg, err } = parse(text);
    const second = time?.slice(0, 19) ?? '';
    perSecond.set(second, (perSecond.get(second) ?? 0) + text.length);
    if (time === undefined || UNHANDLED.test(text)) summary.unexpected.push(`${name}: ${text.slice(0, 300)}`);
    const key = `${name}: ${msg} (${err?.cause?.message ?? err?.message})`;
    if (level === 'error') summary.errors.set(key, (summary.errors.get(key) ?? 0) + 1);
  }
  summary.maxBytesPerSecond = Math.max(summary.maxBytesPerSecond, ...perSecond.values());
};

/** Returns a function that summarizes what the processes have logged since this call. */
export const followLogs = (services: Readonly<Record<string, NamedService>>) => {
  const starts = Object.entries(services).map(([name, service]) => ({
    name,
    service,
    start: service.output().length,
  }));
  return (): LogSummary => {
    const summary: LogSummary = { maxBytesPerSecond: 0, unexpected: [], errors: new Map() };
    for (const { name, service, start } of starts) summarize(summary, name, service.output().slice(start));
    return summary;
  };
};
