import type { EngineUrls } from '../platform.ts';

export type Scenario = {
  name: string;
  /** Of a machine with free processors; a busy one is slower, so it is printed beside the recovery time. */
  goalSeconds: number;
  /** What the recovery time counts from. */
  countedFrom: string;
  /** Whether the engine is away for so long that the processes must report it. */
  isLong?: boolean;
  /** Resolves with the time from which the recovery counts, in milliseconds since the epoch. */
  inject: () => Promise<number>;
  /** Prepares the engines for the next round. */
  repair: () => Promise<void>;
};

/** Engines, and the faults of one of them. */
export type FailoverEngines = EngineUrls & {
  /** The URL of the superuser at the current primary. */
  databaseUrl: () => string;
  scenarios: readonly Scenario[];
  stop: () => Promise<void>;
};

export type FailoverGroup = {
  name: string;
  scenarioNames: readonly string[];
  /** Why the group cannot run on this machine. */
  findObstacle: () => string | undefined;
  start: (dataDir: string) => Promise<FailoverEngines>;
};
