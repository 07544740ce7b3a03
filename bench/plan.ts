import type { MarketSize } from './seed-users.ts';

/** BENCH_QUICK=1 shortens everything, to try the benchmark out; its figures say little. */
const isQuick = process.env['BENCH_QUICK'] === '1';
const choose = <Value>(thorough: Value, quick: Value): Value => (isQuick ? quick : thorough);

/** How long and how often, in seconds and rounds. */
export const PLAN = {
  isQuick,
  connections: 50,
  rounds: choose(5, 1),
  seconds: choose(4, 2),
  warmSeconds: choose(3, 1),
  /** Requests a second of the latency runs: what the slowest of all can answer easily. */
  latencyPerSecond: 200,
  latencyRounds: choose(2, 1),
  latencySeconds: choose(6, 2),
  hashSeconds: choose(10, 3),
  hashRounds: choose(3, 1),
  stormIdleSeconds: choose(10, 3),
  stormSeconds: choose(20, 5),
  stormRounds: choose(2, 1),
  listBudgetMilliseconds: choose(900, 100),
  memorySeconds: choose(600, 30),
} as const;

export const SMALL: MarketSize = { users: 10_000, projects: 2_000, teams: 500 };
export const LARGE: MarketSize = choose(
  { users: 1_000_000, projects: 200_000, teams: 50_000 },
  { users: 50_000, projects: 10_000, teams: 2_500 },
);
/** Token records, two of a user on average. */
export const sessionsOf = ({ users }: MarketSize): number => 2 * users;
