import { runPeriodically } from '@platform/shared/async/tasks';
import type { Base } from '../infrastructure.ts';
import { createCleanup, createCleanupMetrics, type Retention } from './cleanup.ts';
import { scheduleCleanup } from './cleanup-schedule.ts';
import { deleteExpiredGuesses } from './expired-rows.ts';

const SCHEDULE_CHECK_INTERVAL_MILLISECONDS = 2_000;
/** Hourly, not nightly: anyone can create rows by failing with unknown e-mails. */
const GUESS_CLEANUP_INTERVAL_MILLISECONDS = 3_600_000;

type Config = { cleanupTimeZone: string; retention: Retention };

/** Schedules the daily and the hourly cleanup. */
export const createCleanupFeature = (base: Base<Config>) => {
  const { config, database, onError } = base;
  const metrics = createCleanupMetrics(base.metrics);
  const daily = scheduleCleanup({
    redis: base.blockingRedis,
    timeZone: config.cleanupTimeZone,
    run: createCleanup({ database, log: base.log, metrics, retention: config.retention }),
    onError,
  });
  metrics.registerLastSuccess(daily.lastSuccess);
  const scheduleCheck = runPeriodically(daily.ensure, {
    intervalMilliseconds: SCHEDULE_CHECK_INTERVAL_MILLISECONDS,
    onError,
  });
  const deleteGuesses = async () =>
    metrics.countDeleted({ table: 'failed_guesses' }, await deleteExpiredGuesses(database));
  const hourly = runPeriodically(deleteGuesses, {
    intervalMilliseconds: GUESS_CLEANUP_INTERVAL_MILLISECONDS,
    onError,
  });
  return {
    /** Stops the checks of the schedule. */
    stopChecks: scheduleCheck.stop,
    /** Finishes a running cleanup, and never ends while Redis is frozen. */
    stop: async () => {
      await Promise.all([daily.close(), hourly.stop()]);
    },
  };
};
