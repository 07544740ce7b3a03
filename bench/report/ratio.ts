import type { Results, Summary } from '../interleaved-runs.ts';
import { median, ratiosOf } from '../statistics.ts';
import { formatNumber, type Limit, type Result } from './table.ts';

type Comparison = {
  name: string;
  of: string;
  to: string;
  target: Limit;
  /** Compares only this process instead of all. */
  process?: string;
  reason?: string;
};

const toTimes = ({ costs }: Summary, process?: string): number[] =>
  costs.map((cost) =>
    process === undefined ? Object.values(cost).reduce((sum, time) => sum + time, 0) : (cost[process] ?? 0),
  );

/** The processor time of a request relative to another target: the median of the ratios of the rounds. */
export const toRatio = (results: Results, { of, to, process, ...described }: Comparison): Result => {
  const [one, other] = [results.get(of), results.get(to)];
  const result = { unit: '×', ...described } as const;
  if (!one || !other) return { ...result, missing: `${of} or ${to} does not run here` };
  const [times, otherTimes] = [toTimes(one, process), toTimes(other, process)];
  const ratios = ratiosOf(times, otherTimes);
  const range = `${formatNumber(Math.min(...ratios))} to ${formatNumber(Math.max(...ratios))}`;
  const medians = `${formatNumber(median(times))} µs against ${formatNumber(median(otherTimes))} µs`;
  return { ...result, basis: `${medians}, by round ${range}`, value: median(ratios) };
};

export const COST_COLUMNS = ['', 'µs a request', 'of which', 'requests/s', 'p50 ms', 'p99 ms'];

/**
 * The processor time of all processes and of each process. The throughput and latency at saturation are added
 * for information.
 */
export const toCostRows = (results: Results): (string | number)[][] =>
  [...results].map(([name, summary]) => {
    const processes = Object.keys(summary.costs[0] ?? {});
    const parts = processes.map((each) => `${each} ${formatNumber(median(toTimes(summary, each)))}`);
    const { perSecond, p50, p99 } = summary;
    return [name, median(toTimes(summary)), parts.join(', '), perSecond, p50, p99];
  });
