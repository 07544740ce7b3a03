import type { EngineUrls } from '../platform.ts';

export type Scenario = {
  name: string;
  /**
   * The goal for a machine with free processors. A busy machine is slower, so the goal is only printed beside
   * the recovery time.
   */
  goalSeconds: number;
  /** The event from which the recovery time counts. */
  countedFrom: string;
  /** Whether the engine is unavailable for so long that the processes must report it. */
  isLong?: boolean;
  /** Resolves with the time from which the recovery counts, in milliseconds since the epoch. */
  inject: () => Promise<number>;
  /** Prepares the engines for the next round. */
  repair: () => Promise<void>;
};

/** The engines, and the faults of one of them. */
export type FailoverEngines = EngineUrls & {
  /** The URL of the superuser at the current primary. */
  databaseUrl: () => string;
  scenarios: readonly Scenario[];
  stop: () => Promise<void>;
};

export type FailoverGroup = {
  name: string;
  scenarioNames: readonly string[];
  /** Says why the group cannot run on this machine. */
  findObstacle: () => string | undefined;
  start: (dataDir: string) => Promise<FailoverEngines>;
};
