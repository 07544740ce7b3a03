import type { DatasetSize } from './seed-sql.ts';

/** BENCH_QUICK=1 shortens everything, for a trial. Its measurements are not meaningful. */
const isQuick = process.env['BENCH_QUICK'] === '1';
const choose = <Value>(thorough: Value, quick: Value): Value => (isQuick ? quick : thorough);

/** BENCH_USERS restores another number of users than ten million, which take an hour to seed. */
export const RESTORED_USERS = Number(process.env['BENCH_USERS'] ?? choose(10_000_000, 50_000));

/** Durations in seconds, and numbers of rounds. */
export const PLAN = {
  isQuick,
  connections: 50,
  /**
   * Many short rounds, because the machine is alternately fast and slow for seconds, and a round compares
   * targets within the same phase.
   */
  rounds: choose(15, 1),
  seconds: choose(1.5, 1),
  warmSeconds: choose(2, 1),
  hashSeconds: choose(10, 3),
  hashRounds: choose(3, 1),
  /** Reads of each list and search. */
  pageReads: choose(5, 2),
  memorySeconds: choose(3_600, 30),
  /** How long the machine's load is measured before each scenario. */
  loadSeconds: choose(5, 1),
} as const;

/** A service that has more requests in flight at an instance gets 429. */
export const SERVICE_CONNECTIONS = 32;

/** The same number of rows in each table. */
const toSize = (rows: number): DatasetSize => ({
  users: rows,
  projects: rows,
  teams: rows,
  auditRecords: rows,
  contactRequests: rows,
});
export const SMALL = toSize(10_000);
/** Each user has ten audit records on average, and one in ten has sent a contact form. */
export const LARGE: DatasetSize = {
  ...toSize(choose(1_000_000, 30_000)),
  auditRecords: choose(10_000_000, 100_000),
  contactRequests: choose(100_000, 20_000),
};
/** Each user has a session; projects take most of the disk. */
export const HUGE: DatasetSize = {
  users: choose(10_000_000, 50_000),
  projects: choose(2_000_000, 20_000),
  teams: 10_000,
  auditRecords: choose(1_000_000, 10_000),
  contactRequests: 10_000,
};
/** Two sessions for each user of SMALL on average. */
export const SESSIONS = 2 * SMALL.users;
