import type { DatasetSize } from './seed-users.ts';

/** BENCH_QUICK=1 shortens everything, to try the benchmark out; its measurements say little. */
const isQuick = process.env['BENCH_QUICK'] === '1';
const choose = <Value>(thorough: Value, quick: Value): Value => (isQuick ? quick : thorough);

/** Durations in seconds, and numbers of rounds. */
export const PLAN = {
  isQuick,
  connections: 50,
  rounds: choose(5, 1),
  seconds: choose(4, 2),
  warmSeconds: choose(3, 1),
  /** Of a comparison with another checkout, where differences of a few percent matter. */
  comparisonRounds: choose(10, 2),
  /** The rate of the latency runs, which the slowest target serves easily. */
  latencyPerSecond: 200,
  latencyRounds: choose(2, 1),
  latencySeconds: choose(6, 2),
  hashSeconds: choose(10, 3),
  hashRounds: choose(3, 1),
  burstIdleSeconds: choose(10, 3),
  burstSeconds: choose(20, 5),
  burstRounds: choose(2, 1),
  listBudgetMilliseconds: choose(900, 100),
  /** Of the cost by load. */
  idleSeconds: choose(20, 3),
  loadRounds: choose(2, 1),
  memorySeconds: choose(600, 30),
} as const;

export const SMALL: DatasetSize = { users: 10_000, projects: 2_000, teams: 500 };
export const LARGE: DatasetSize = choose(
  { users: 1_000_000, projects: 200_000, teams: 50_000 },
  { users: 50_000, projects: 10_000, teams: 2_500 },
);
/** The number of sessions, two per user on average. */
export const sessionCount = ({ users }: DatasetSize): number => 2 * users;
