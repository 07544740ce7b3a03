import { unavailable } from '@platform/shared/errors/app-error';
import { MAINTENANCE_QUEUE } from '@platform/shared/mail/mail-queue';
import { type RedisClient, withRedisTimeout } from '@platform/shared/redis/redis';
import { type JobsOptions, Queue, Worker } from 'bullmq';

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

/** Daily at 03:00, once however many workers there are: the schedule lives in Redis, and one of them gets the job. */
export const scheduleCleanup = ({ redis, timeZone, run, onError }: Options) => {
  // A Redis that dies while it is asked for its version would leave both useless, the worker spinning, for good.
  const options = { connection: redis, skipVersionCheck: true };
  const queue = new Queue(MAINTENANCE_QUEUE, options);
  const worker = new Worker(MAINTENANCE_QUEUE, run, { ...options, runRetryDelay: 1_000, maxStalledCount: 3 });
  queue.on('error', onError);
  worker.on('error', onError);
  worker.on('failed', (_job, error) => onError(error));

  return {
    /** Registers the schedule if Redis does not have it: at the start, in another zone, after Redis lost its data. */
    ensure: async (): Promise<void> => {
      const registered = await withRedisTimeout(queue.getJobScheduler(JOB));
      // Not upserted each time: that would move a run that is due this very moment to tomorrow.
      if (registered?.pattern === DAILY_AT_THREE && registered.tz === timeZone) return;
      const schedule = { pattern: DAILY_AT_THREE, tz: timeZone };
      await withRedisTimeout(queue.upsertJobScheduler(JOB, schedule, { name: JOB, opts: JOB_OPTIONS }));
    },
    /** In seconds since 1970; undefined before the first, and when Redis has lost it. */
    lastSuccess: async (): Promise<number | undefined> => {
      if (!redis.isReady) throw unavailable('The schedule cannot be read right now');
      const [last] = await withRedisTimeout(queue.getJobs('completed', 0, 0));
      return last?.finishedOn && last.finishedOn / 1_000;
    },
    close: async (): Promise<void> => {
      // With Redis away it would wait for its return.
      await worker.close(!redis.isReady);
      await queue.close();
    },
  };
};

export type CleanupSchedule = ReturnType<typeof scheduleCleanup>;
