import { type SeededPlatform, startSmall } from './bench-run.ts';
import { measureThroughput, type Summary } from './interleaved-runs.ts';
import { PLAN } from './plan.ts';
import { formatNumber, formatTable } from './report/table.ts';
import { median } from './statistics.ts';
import type { Defer } from './targets/processes.ts';
import { meWorkload, refreshWorkload, usersListWorkload, type Workload } from './workloads.ts';

/** The scenarios that can be compared between checkouts. */
export const COMPARABLE: Readonly<Record<string, (platform: SeededPlatform) => Workload>> = {
  me: (platform) => meWorkload(platform),
  refresh: (platform) => refreshWorkload(platform),
  list: (platform) => usersListWorkload(platform),
};

const COLUMNS = ['scenario', 'this', 'other', 'ratio', 'ratios of the rounds', 'spread this', 'spread other'];

/** The lowest and the highest value, e.g. "0.98 to 1.03". */
const formatRange = (values: readonly number[]): string =>
  `${Math.min(...values).toFixed(3)} to ${Math.max(...values).toFixed(3)}`;

/** The range of the rates in percent of their median. */
const formatSpread = ({ rates, perSecond }: Summary): string =>
  `${(((Math.max(...rates) - Math.min(...rates)) / perSecond) * 100).toFixed(1)} %`;

/** The ratio is the median of the ratios of the rounds, whose two runs follow each other directly. */
const toRow = (name: string, ours: Summary, other: Summary): string[] => {
  const ratios = ours.rates.map((rate, round) => rate / (other.rates[round] ?? Number.NaN));
  return [
    ...[name, `${formatNumber(ours.perSecond)}/s`, `${formatNumber(other.perSecond)}/s`],
    ...[median(ratios).toFixed(3), formatRange(ratios), formatSpread(ours), formatSpread(other)],
  ];
};

/**
 * Runs scenarios alternately on this checkout and on another one, each with its own stack, and prints the requests per
 * second of both. @param root the other checkout, with its packages installed
 */
export const compareCheckouts = async (
  names: readonly string[],
  root: string,
  defer: Defer,
): Promise<void> => {
  const other = await startSmall(defer, root);
  const ours = await startSmall(defer);
  const rows: string[][] = [];
  for (const name of names) {
    const createWorkload = COMPARABLE[name];
    if (!createWorkload) throw new Error(`The scenario ${name} cannot be compared`);
    const targets = { this: ours, other };
    const results = await measureThroughput(
      Object.entries(targets).map(([target, platform]) => ({
        ...{ name: target, url: platform.gatewayUrl },
        ...createWorkload(platform),
      })),
      { rounds: PLAN.comparisonRounds },
    );
    rows.push(toRow(name, results.get('this') as Summary, results.get('other') as Summary));
    console.log(`${name}: ratio ${rows.at(-1)?.[3]}`);
  }
  const { connections, seconds, comparisonRounds } = PLAN;
  const title = `Requests per second, ${connections} connections, ${comparisonRounds} rounds of ${seconds} s each`;
  console.log(`\n${title}; other: ${root}\n\n${formatTable([COLUMNS, ...rows])}`);
};
