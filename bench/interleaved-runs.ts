import {
  describeFailures,
  type LoadResult,
  type Request,
  runClosedLoop,
  type TokenCarry,
} from './load/load.ts';
import { PLAN } from './plan.ts';
import { readProcessorSeconds } from './processor-time.ts';
import { median } from './statistics.ts';

/** A server under test, its requests, and the processes that take part in them, by name. */
export type Target = {
  name: string;
  url: string;
  requests: readonly Request[];
  carry?: TokenCarry;
  pids: Readonly<Record<string, number>>;
};

/** Microseconds of processor time per request, by process. */
type Cost = Readonly<Record<string, number>>;
type Round = LoadResult & { cost: Cost };

/** The medians of the rounds, and the rate and cost of each round. */
export type Summary = LoadResult & { rates: readonly number[]; costs: readonly Cost[] };

export type Results = Map<string, Summary>;

const requireSuccess = (name: string, result: LoadResult): LoadResult => {
  const failures = describeFailures(result);
  if (failures !== undefined) throw new Error(`${name}: ${failures}`);
  return result;
};

const readSeconds = ({ pids }: Target): number[] => Object.values(pids).map(readProcessorSeconds);

const withCost = async (target: Target, run: () => Promise<LoadResult>): Promise<Round> => {
  const before = readSeconds(target);
  const result = requireSuccess(target.name, await run());
  const after = readSeconds(target);
  const cost = Object.keys(target.pids).map((name, index) => [
    name,
    (((after[index] ?? Number.NaN) - (before[index] ?? Number.NaN)) * 1e6) / result.requests,
  ]);
  return { ...result, cost: Object.fromEntries(cost) };
};

/**
 * Each round measures every target once, so that other activity on the machine affects all targets in the
 * same way. Every other round runs in reverse order, so that no target always follows the same one.
 */
const interleave = async (
  targets: readonly Target[],
  rounds: number,
  measure: (target: Target) => Promise<LoadResult>,
): Promise<Results> => {
  const results = new Map<string, Round[]>(targets.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const target of round % 2 === 0 ? targets : targets.toReversed())
      results.get(target.name)?.push(await withCost(target, () => measure(target)));
  return new Map([...results].map(([name, runs]) => [name, summarize(runs)]));
};

/** Computes the median of each metric separately. */
const summarize = (results: readonly Round[]): Summary => {
  const medianOf = (key: 'perSecond' | 'p50' | 'p95' | 'p99' | 'max') =>
    median(results.map((result) => result[key]));
  return {
    ...(results[0] as LoadResult),
    requests: results.reduce((sum, { requests }) => sum + requests, 0),
    perSecond: medianOf('perSecond'),
    rates: results.map(({ perSecond }) => perSecond),
    costs: results.map(({ cost }) => cost),
    p50: medianOf('p50'),
    p95: medianOf('p95'),
    p99: medianOf('p99'),
    max: medianOf('max'),
    nextRequests: [],
  };
};

export type SaturationOptions = {
  connections?: number;
  rounds?: number;
  seconds?: number;
  warmSeconds?: number;
};

/**
 * Measures the processor time and throughput of each target at saturation. @throws Error if a response has an
 * unexpected status
 */
export const measureSaturated = async (
  targets: readonly Target[],
  options: SaturationOptions = {},
): Promise<Results> => {
  const { connections = PLAN.connections, rounds = PLAN.rounds, seconds = PLAN.seconds } = options;
  const current = new Map(targets.map(({ name, requests }) => [name, requests]));
  const run = async (target: Target, duration: number): Promise<LoadResult> => {
    const { name, url, carry } = target;
    const requests = current.get(name) ?? target.requests;
    const load = { url, connections, duration, requests, ...(carry && { carry }) };
    const result = requireSuccess(name, await runClosedLoop(load));
    if (carry) current.set(name, result.nextRequests);
    return result;
  };
  for (const target of targets) await run(target, options.warmSeconds ?? PLAN.warmSeconds);
  return interleave(targets, rounds, (target) => run(target, seconds));
};
