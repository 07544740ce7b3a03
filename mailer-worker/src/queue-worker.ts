import { isErrorReply } from '@platform/shared/redis/redis';
import type { RedisClient } from '@platform/shared/redis/redis-client';
import { type Processor, Worker, type WorkerOptions } from 'bullmq';

const MIN_MILLISECONDS = 1_000;
const MAX_MILLISECONDS = 4_000;

/**
 * Pauses a worker when Redis responds with an error: 1 s, then 2 s and 4 s while the errors go on. BullMQ fetches the next
 * job at once after a READONLY, OOM or CROSSSLOT error, so the worker would loop without a pause, and its own limiter needs
 * a Redis that it can write to. After a lost connection it waits by itself.
 */
const pauseAfterErrors = (worker: Worker): void => {
  let timer: NodeJS.Timeout | undefined;
  let milliseconds = MIN_MILLISECONDS;
  let lastError = Number.NEGATIVE_INFINITY;
  worker.on('closing', () => clearTimeout(timer));

  worker.on('error', (error) => {
    if (worker.isPaused() || worker.closing || !isErrorReply(error)) return;
    const isRepeated = performance.now() - lastError < 2 * MAX_MILLISECONDS;
    milliseconds = isRepeated ? Math.min(2 * milliseconds, MAX_MILLISECONDS) : MIN_MILLISECONDS;
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
    // A crashed worker says nothing about its jobs.
    maxStalledCount: 10,
    // A connection lost during the version check would leave the worker in an endless loop.
    skipVersionCheck: true,
    ...options,
  });
  worker.on('error', onError);
  pauseAfterErrors(worker);
  return {
    worker,
    /** Finishes the current jobs. Without Redis that would wait forever, so it closes and another worker takes over. */
    close: () => worker.close(!redis.isReady),
  };
};
