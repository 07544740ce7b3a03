import { applyLoad, applyPacedLoad, faultOf, type LoadResult } from './load/load.ts';
import type { Carry, Request } from './load/requests.ts';
import { PLAN } from './plan.ts';
import { median } from './statistics.ts';

/** One of those that are held against each other. */
export type Contender = {
  name: string;
  url: string;
  requests: readonly Request[];
  carry?: Carry;
};

/** The medians of the rounds, and the rates of the slowest and the fastest. */
export type Summary = LoadResult & { slowest: number; fastest: number };

export type Results = Map<string, Summary>;

const requireGood = (name: string, result: LoadResult): LoadResult => {
  const fault = faultOf(result);
  if (fault !== undefined) throw new Error(`${name}: ${fault}`);
  return result;
};

/** Runs every contender, then every one again, round by round, so that what the machine does besides meets all alike. */
const takeTurns = async (
  contenders: readonly Contender[],
  rounds: number,
  measure: (contender: Contender) => Promise<LoadResult>,
): Promise<Map<string, LoadResult[]>> => {
  const taken = new Map<string, LoadResult[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const contender of contenders) taken.get(contender.name)?.push(await measure(contender));
  return taken;
};

/** The medians of the rounds, each figure by itself. */
export const summarize = (results: readonly LoadResult[]): Summary => {
  const of = (key: 'perSecond' | 'p50' | 'p95' | 'p99' | 'max') =>
    median(results.map((result) => result[key]));
  return {
    ...(results[0] as LoadResult),
    requests: results.reduce((sum, { requests }) => sum + requests, 0),
    perSecond: of('perSecond'),
    slowest: Math.min(...results.map(({ perSecond }) => perSecond)),
    fastest: Math.max(...results.map(({ perSecond }) => perSecond)),
    ...{ p50: of('p50'), p95: of('p95'), p99: of('p99'), max: of('max') },
    followed: [],
  };
};

const summarizeAll = (taken: Map<string, LoadResult[]>): Results =>
  new Map([...taken].map(([name, results]) => [name, summarize(results)]));

type ClosedLoop = { connections?: number; rounds?: number; seconds?: number; warmSeconds?: number };

/** Each as fast as it answers. @throws Error when one answers anything but what it should */
export const closedLoop = async (
  contenders: readonly Contender[],
  options: ClosedLoop = {},
): Promise<Results> => {
  const { connections = PLAN.connections, rounds = PLAN.rounds, seconds = PLAN.seconds } = options;
  const current = new Map(contenders.map(({ name, requests }) => [name, requests]));
  const run = async (contender: Contender, duration: number): Promise<LoadResult> => {
    const { name, url, carry } = contender;
    const requests = current.get(name) ?? contender.requests;
    const load = { url, connections, duration, requests, ...(carry && { carry }) };
    const result = requireGood(name, await applyLoad(load));
    if (carry) current.set(name, result.followed);
    return result;
  };
  for (const contender of contenders) await run(contender, options.warmSeconds ?? PLAN.warmSeconds);
  return summarizeAll(await takeTurns(contenders, rounds, (contender) => run(contender, seconds)));
};

/** Each at the same rate, far below what it could: how long does one wait? */
export const latencyRun = async (contenders: readonly Contender[]): Promise<Results> => {
  const run = async ({ name, url, requests }: Contender): Promise<LoadResult> => {
    const stream = { name, perSecond: PLAN.latencyPerSecond, requests };
    const { connections, latencySeconds: duration } = PLAN;
    const results = await applyPacedLoad({ url, connections, duration, streams: [stream] });
    return requireGood(name, results[name] as LoadResult);
  };
  return summarizeAll(await takeTurns(contenders, PLAN.latencyRounds, run));
};
