import { isErrorReply } from '@platform/shared/redis/redis';
import type { RedisClient } from '@platform/shared/redis/redis-client';
import { type Processor, Worker, type WorkerOptions } from 'bullmq';

const MIN_PAUSE_MILLISECONDS = 1_000;
const MAX_PAUSE_MILLISECONDS = 4_000;

/**
 * Pauses a worker for 1 s, then 2 s and 4 s, while Redis responds with errors. BullMQ fetches the next job
 * immediately after a READONLY, OOM or CROSSSLOT error, so the worker would loop, and BullMQ's own limiter
 * needs a writable Redis. After a lost connection, BullMQ waits by itself.
 */
const pauseAfterErrors = (worker: Worker): void => {
  let timer: NodeJS.Timeout | undefined;
  let milliseconds = MIN_PAUSE_MILLISECONDS;
  let lastError = Number.NEGATIVE_INFINITY;
  worker.on('closing', () => clearTimeout(timer));

  worker.on('error', (error) => {
    if (worker.isPaused() || worker.closing || !isErrorReply(error)) return;
    const isRepeated = performance.now() - lastError < 2 * MAX_PAUSE_MILLISECONDS;
    milliseconds = isRepeated ? Math.min(2 * milliseconds, MAX_PAUSE_MILLISECONDS) : MIN_PAUSE_MILLISECONDS;
    lastError = performance.now();
    void worker.pause(true);
    timer = setTimeout(() => void worker.resume(), milliseconds);
  });
};

type Options = Omit<WorkerOptions, 'connection'> & {
  redis: RedisClient;
  onError: (error: Error) => void;
};

/** A BullMQ worker that survives outages of Redis. */
export const startQueueWorker = (
  queue: string,
  process: Processor,
  { redis, onError, ...options }: Options,
) => {
  const worker = new Worker(queue, process, {
    connection: redis,
    runRetryDelay: 1_000,
    // A job of a crashed worker is not to blame for the crash.
    maxStalledCount: 10,
    // A connection lost during the version check would leave the worker in an endless loop.
    skipVersionCheck: true,
    ...options,
  });
  worker.on('error', onError);
  pauseAfterErrors(worker);
  return {
    worker,
    /**
     * Finishes the current jobs. Without Redis that would take forever, so it closes immediately and another
     * worker takes the jobs over.
     */
    close: () => worker.close(!redis.isReady),
  };
};
