import { percentile } from '../statistics.ts';
import type { LoadResult } from './load.ts';
import type { Request } from './requests.ts';

/** Takes down the answers of a load; the clock runs from its making to the last answer. */
export const createTally = () => {
  const started = performance.now();
  const milliseconds: number[] = [];
  const statuses: Record<number, number> = {};
  let last = started;
  return {
    add: (status: number, time: number): void => {
      last = performance.now();
      milliseconds.push(time);
      statuses[status] = (statuses[status] ?? 0) + 1;
    },
    close: (unanswered: number, followed: Request[]): LoadResult => ({
      requests: milliseconds.length,
      perSecond: milliseconds.length / ((last - started) / 1_000),
      p50: percentile(milliseconds, 0.5),
      p95: percentile(milliseconds, 0.95),
      p99: percentile(milliseconds, 0.99),
      max: percentile(milliseconds, 1),
      statuses,
      unanswered,
      followed,
    }),
  };
};

export type Tally = ReturnType<typeof createTally>;
