import type { Results } from '../interleaved-runs.ts';
import { median, ratiosOf } from '../statistics.ts';
import { formatNumber, type Result } from './table.ts';

type Comparison = { name: string; of: string; to: string; atLeast: number };

/** The throughput of one target relative to another one: the median of the ratios of the rounds. */
export const toRatio = (results: Results, { name, of, to, atLeast }: Comparison): Result => {
  const [one, other] = [results.get(of), results.get(to)];
  const result = { name, unit: '×', target: { atLeast } } as const;
  if (!one || !other) return { ...result, missing: `${of} or ${to} does not run here` };
  const ratios = ratiosOf(one.rates, other.rates);
  const range = `${formatNumber(Math.min(...ratios))} to ${formatNumber(Math.max(...ratios))}`;
  const rates = `${formatNumber(one.perSecond)}/s against ${formatNumber(other.perSecond)}/s`;
  return { ...result, basis: `${rates}, by round ${range}`, value: median(ratios) };
};
