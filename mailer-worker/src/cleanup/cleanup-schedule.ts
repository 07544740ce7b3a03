import { unavailable } from '@platform/shared/errors/app-error';
import { MAINTENANCE_QUEUE } from '@platform/shared/platform/mail/mail-queue';
import { withRedisTimeout } from '@platform/shared/redis/redis';
import type { RedisClient } from '@platform/shared/redis/redis-client';
import { type JobsOptions, Queue } from 'bullmq';
import { startQueueWorker } from '../queue-worker.ts';

const JOB = 'remove-expired-tokens';
const DAILY_AT_THREE = '0 3 * * *';
const JOB_OPTIONS: JobsOptions = {
  attempts: 3,
  backoff: { type: 'exponential', delay: 60_000 },
  removeOnComplete: 30,
  removeOnFail: 30,
};

type Options = {
  redis: RedisClient;
  timeZone: string;
  run: () => Promise<void>;
  onError: (error: Error) => void;
};

/** Runs the cleanup daily at 03:00 on one of the workers; the schedule is stored in Redis. */
export const scheduleCleanup = ({ redis, timeZone, run, onError }: Options) => {
  // A connection lost during the version check would leave the queue unusable.
  const queue = new Queue(MAINTENANCE_QUEUE, { connection: redis, skipVersionCheck: true });
  queue.on('error', onError);
  const { worker, close } = startQueueWorker(MAINTENANCE_QUEUE, run, { redis, onError });
  worker.on('failed', (_job, error) => onError(error));

  return {
    /** Registers the schedule if it is missing or has another time zone. Redis may have lost its data. */
    ensure: async (): Promise<void> => {
      const registered = await withRedisTimeout(queue.getJobScheduler(JOB));
      // Upserting a registered schedule would postpone a run that is due now to the next day.
      if (registered?.pattern === DAILY_AT_THREE && registered.tz === timeZone) return;
      const schedule = { pattern: DAILY_AT_THREE, tz: timeZone };
      await withRedisTimeout(queue.upsertJobScheduler(JOB, schedule, { name: JOB, opts: JOB_OPTIONS }));
    },
    /** The Unix time in seconds; undefined before the first success or after Redis lost its data. */
    lastSuccess: async (): Promise<number | undefined> => {
      if (!redis.isReady) throw unavailable('The cleanup schedule is unavailable; retry later');
      const [last] = await withRedisTimeout(queue.getJobs('completed', 0, 0));
      return last?.finishedOn && last.finishedOn / 1_000;
    },
    close: async (): Promise<void> => {
      await close();
      await queue.close();
    },
  };
};
