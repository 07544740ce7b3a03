import type { Contender, Results } from '../interleaved-runs.ts';
import type { LoadResult } from '../load/load.ts';
import type { Bar } from '../report/bar-chart.ts';
import { type Line, showNumber } from '../report/table.ts';
import type { Available } from '../targets/peer.ts';

type Held = { work: string; ours: string; against: string; atLeast: number };

/** A line for one contender's rate against another's; it says why when one of them could not be run. */
export const rateAgainst = (
  results: Results,
  { work, ours, against, atLeast }: Held,
  missing?: string,
): Line => {
  const [one, other] = [results.get(ours), results.get(against)];
  const line = { work, unit: '×', target: { atLeast }, of: '' } as const;
  if (!one || !other) return { ...line, missing: missing ?? 'one of the two was not measured' };
  const of = `${showNumber(one.perSecond)}/s against ${showNumber(other.perSecond)}/s`;
  return { ...line, of, figure: one.perSecond / other.perSecond };
};

export const missingOf = <Peer>(available: Available<Peer>): string | undefined =>
  'missing' in available ? available.missing : undefined;

/** The contender that a peer is, if it can be run here. */
export const contenderOf = <Peer>(
  available: Available<Peer>,
  toContender: (peer: Peer) => Contender,
): Contender[] => ('peer' in available ? [toContender(available.peer)] : []);

export const ratesOf = (results: Results): (string | number)[][] =>
  [...results].map(([name, { perSecond, slowest, fastest, p50, p95, p99 }]) => [
    ...[name, perSecond, slowest, fastest, p50, p95, p99],
  ]);

export const RATE_COLUMNS = ['', 'requests/s', 'slowest', 'fastest', 'p50 ms', 'p95 ms', 'p99 ms'];

export const toBars = (
  results: Results,
  labels: readonly (readonly [name: string, label: string, side: Bar['side']])[],
): Bar[] =>
  labels.flatMap(([name, label, side]) => {
    const result: LoadResult | undefined = results.get(name);
    return result ? [{ label, value: result.perSecond, side }] : [];
  });
