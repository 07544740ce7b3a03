import { isErrorReply } from '@platform/shared/redis/redis';
import type { Worker } from 'bullmq';

const MIN_MILLISECONDS = 1_000;
const MAX_MILLISECONDS = 4_000;

/** Pauses a worker for a time. Active jobs go on; of overlapping pauses, the longest counts. */
export const createPause = (worker: Worker) => {
  let timer: NodeJS.Timeout | undefined;
  let endsAt = 0;
  let isClosing = false;
  worker.on('closing', () => {
    isClosing = true;
    clearTimeout(timer);
  });

  const resume = (): void => {
    timer = undefined;
    void worker.resume();
  };
  return {
    isPaused: () => timer !== undefined,
    pauseFor: (milliseconds: number): void => {
      const end = performance.now() + milliseconds;
      if (isClosing || (timer && end <= endsAt)) return;
      clearTimeout(timer);
      void worker.pause(true);
      endsAt = end;
      timer = setTimeout(resume, milliseconds);
    },
  };
};

export type Pause = ReturnType<typeof createPause>;

/**
 * Pauses a worker when Redis responds with an error: 1 s, then 2 s and 4 s while the errors go on. BullMQ fetches the next
 * job at once after a READONLY, OOM or CROSSSLOT error, so the worker would loop without a pause. After a lost connection
 * it waits by itself.
 */
export const pauseAfterErrors = (worker: Worker, pause: Pause = createPause(worker)): void => {
  let milliseconds = MIN_MILLISECONDS;
  let lastError = Number.NEGATIVE_INFINITY;

  worker.on('error', (error) => {
    if (pause.isPaused() || !isErrorReply(error)) return;
    const isRepeated = performance.now() - lastError < 2 * MAX_MILLISECONDS;
    milliseconds = isRepeated ? Math.min(2 * milliseconds, MAX_MILLISECONDS) : MIN_MILLISECONDS;
    lastError = performance.now();
    pause.pauseFor(milliseconds);
  });
};
