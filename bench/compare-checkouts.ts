import { type SeededPlatform, startSmall } from './bench-run.ts';
import { measureThroughput, type Summary } from './interleaved-runs.ts';
import { PLAN } from './plan.ts';
import { formatNumber, formatTable } from './report/table.ts';
import { SIGN_IN_CONNECTIONS } from './scenarios/sign-in.ts';
import { median, ratiosOf } from './statistics.ts';
import type { Defer } from './targets/processes.ts';
import { meWorkload, refreshWorkload, signInRequest, usersListWorkload, type Workload } from './workloads.ts';

type Comparison = {
  createWorkload: (platform: SeededPlatform) => Workload;
  /** By default those of the plan. */
  load?: { connections: number; seconds: number };
};

/** The scenarios that can be compared between checkouts. */
export const COMPARABLE: Readonly<Record<string, Comparison>> = {
  me: { createWorkload: (platform) => meWorkload(platform) },
  refresh: { createWorkload: (platform) => refreshWorkload(platform) },
  list: { createWorkload: (platform) => usersListWorkload(platform) },
  'sign-in': {
    createWorkload: ({ emails }) => ({ requests: emails.map(signInRequest) }),
    // A hash takes so long that a short run would count only a few.
    load: { connections: SIGN_IN_CONNECTIONS, seconds: PLAN.hashSeconds },
  },
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
  const ratios = ratiosOf(ours.rates, other.rates);
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
    const comparison = COMPARABLE[name];
    if (!comparison) throw new Error(`The scenario ${name} cannot be compared`);
    const { connections, seconds } = comparison.load ?? PLAN;
    const targets = { this: ours, other };
    const results = await measureThroughput(
      Object.entries(targets).map(([target, platform]) => ({
        ...{ name: target, url: platform.gatewayUrl },
        ...comparison.createWorkload(platform),
      })),
      { rounds: PLAN.comparisonRounds, connections, seconds },
    );
    rows.push(
      toRow(
        `${name}, ${connections} connections, ${seconds} s`,
        results.get('this') as Summary,
        results.get('other') as Summary,
      ),
    );
    console.log(`${name}: ratio ${rows.at(-1)?.[3]}`);
  }
  const title = `Requests per second, ${PLAN.comparisonRounds} rounds`;
  console.log(`\n${title}; other: ${root}\n\n${formatTable([COLUMNS, ...rows])}`);
};
