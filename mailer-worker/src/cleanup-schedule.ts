import type { RedisClient } from '@platform/shared/redis/connect-redis';
import { Queue, Worker } from 'bullmq';
import { closeWorker } from './close-worker.ts';

const QUEUE = 'maintenance';
const JOB = 'remove-expired-tokens';
const DAILY_AT_THREE = '0 3 * * *';

type Options = {
  redis: RedisClient;
  timeZone: string;
  run: () => Promise<void>;
  onError: (error: Error) => void;
};

/** Daily at 03:00, once however many workers there are: the schedule lives in Redis, and one of them gets the job. */
export const scheduleCleanup = ({ redis, timeZone, run, onError }: Options) => {
  const queue = new Queue(QUEUE, { connection: redis });
  const worker = new Worker(QUEUE, run, { connection: redis, runRetryDelay: 1_000, maxStalledCount: 3 });
  queue.on('error', onError);
  worker.on('error', onError);
  worker.on('failed', (_job, error) => onError(error));

  return {
    /** Registers the schedule if Redis does not have it, at the start and after Redis lost its data. */
    ensure: async (): Promise<void> => {
      // Asking would wait for Redis, and the process's stop with it.
      if (!redis.isReady) return;
      // Not upserted each time: that would move a run that is due this very moment to tomorrow.
      if (await queue.getJobScheduler(JOB)) return;
      await queue.upsertJobScheduler(
        JOB,
        { pattern: DAILY_AT_THREE, tz: timeZone },
        {
          name: JOB,
          opts: {
            attempts: 3,
            backoff: { type: 'exponential', delay: 60_000 },
            removeOnComplete: 30,
            removeOnFail: 30,
          },
        },
      );
    },
    close: async (): Promise<void> => {
      await closeWorker(worker, redis);
      if (redis.isReady) await queue.close();
    },
  };
};
