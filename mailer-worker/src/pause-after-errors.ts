import { isErrorReply } from '@platform/shared/redis/redis';
import type { Worker } from 'bullmq';

const MIN_MILLISECONDS = 1_000;
const MAX_MILLISECONDS = 4_000;

/**
 * Pauses a worker when Redis responds with an error: 1 s, then 2 s and 4 s while the errors go on. BullMQ fetches the next
 * job at once after a READONLY, OOM or CROSSSLOT error, so the worker would loop without a pause. After a lost connection
 * it waits by itself.
 */
export const pauseAfterErrors = (worker: Worker): void => {
  let milliseconds = MIN_MILLISECONDS;
  let lastError = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  const resume = (): void => {
    timer = undefined;
    void worker.resume();
  };
  worker.on('error', (error) => {
    if (timer || !isErrorReply(error)) return;
    const isRepeated = performance.now() - lastError < 2 * MAX_MILLISECONDS;
    milliseconds = isRepeated ? Math.min(2 * milliseconds, MAX_MILLISECONDS) : MIN_MILLISECONDS;
    lastError = performance.now();
    // Jobs that are active go on.
    void worker.pause(true);
    timer = setTimeout(resume, milliseconds);
  });
  worker.on('closing', () => clearTimeout(timer));
};
