import { median, percentile } from './statistics.ts';

/** Milliseconds. */
export type Times = { p50: number; p95: number };

/** The requests of a measurement. Slow ones are repeated less often: `min` to `max` times in each round. */
type Effort = { rounds: number; min: number; max: number; budgetMilliseconds: number };

const timeRound = async (
  reads: readonly (() => Promise<unknown>)[],
  { min, max, budgetMilliseconds }: Omit<Effort, 'rounds'>,
): Promise<number[][]> => {
  const times = reads.map((): number[] => []);
  const ends = performance.now() + budgetMilliseconds;
  for (let count = 0; count < min || (count < max && performance.now() < ends); count += 1)
    for (const [index, read] of reads.entries()) {
      const started = performance.now();
      await read();
      times[index]?.push(performance.now() - started);
    }
  return times;
};

/**
 * The times of requests that alternate, so that other activity of the machine affects all of them. Each percentile is the
 * median of those of the rounds, because an interruption lasts for several requests.
 */
export const measureAlternately = async (
  reads: readonly (() => Promise<unknown>)[],
  { rounds, ...effort }: Effort,
): Promise<Times[]> => {
  const results: number[][][] = [];
  for (let round = 0; round < rounds; round += 1) results.push(await timeRound(reads, effort));
  return reads.map((_, index) => {
    const medianOf = (share: number) => median(results.map((round) => percentile(round[index] ?? [], share)));
    return { p50: medianOf(0.5), p95: medianOf(0.95) };
  });
};

/** A page of a list, of which all have been measured at full size, and some also with a hundredth of the rows. */
export type PageTimes = {
  name: string;
  isSearch: boolean;
  /** The rows of the whole list. */
  total: number;
  large: Times;
  small?: Times;
  failure?: string;
};

/** The statement timeout: the time that counts for a failed request. */
const FAILED: Times = { p50: 5_000, p95: 5_000 };

/** Measures a page; an error is a result, too. */
export const withFailures = async (
  page: Omit<PageTimes, 'large'>,
  measure: () => Promise<Pick<PageTimes, 'large' | 'small' | 'total'>>,
): Promise<PageTimes> => {
  try {
    return { ...page, ...(await measure()) };
  } catch (error) {
    return { ...page, large: FAILED, failure: error instanceof Error ? error.message : String(error) };
  }
};

const worst = (pages: readonly PageTimes[], value: (page: PageTimes) => number): PageTimes | undefined =>
  pages.toSorted((one, other) => value(other) - value(one))[0];

export const ratioOf = ({ large, small }: PageTimes): number => (small ? large.p95 / small.p95 : Number.NaN);

export const findSlowest = (pages: readonly PageTimes[]): PageTimes | undefined =>
  worst(pages, ({ large }) => large.p95);

/** Of the pages that were measured at both sizes. */
export const findWorstRatio = (pages: readonly PageTimes[]): PageTimes | undefined =>
  worst(
    pages.filter(({ small }) => small),
    ratioOf,
  );
