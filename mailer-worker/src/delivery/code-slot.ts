import { randomUUID } from 'node:crypto';
import { runPeriodically } from '@platform/shared/async/tasks';
import type { Worker } from 'bullmq';

const INTERVAL_MILLISECONDS = 250;

export const createActivity = () => {
  let active = 0;
  let lastChange = performance.now();
  const change = (by: number): void => {
    active += by;
    lastChange = performance.now();
  };
  return {
    during: async (work: () => Promise<void>): Promise<void> => {
      change(1);
      try {
        await work();
      } finally {
        change(-1);
      }
    },
    /** Whether so many slots are occupied, and have been for so long by the same mails. */
    isOccupied: (slots: number, milliseconds: number) =>
      active >= slots && performance.now() - lastChange > milliseconds,
  };
};

type Options = {
  worker: Worker;
  activity: Pick<ReturnType<typeof createActivity>, 'isOccupied'>;
  countWaitingCodes: () => Promise<number>;
  onError: (error: unknown) => void;
};

/**
 * Sends a waiting code, one at a time, while slow mails occupy every slot of the worker. A queue of their own would have a
 * limiter of its own, so that both together exceeded MAIL_RATE_PER_SECOND.
 */
export const startCodeSlot = ({ worker, activity, countWaitingCodes, onError }: Options) => {
  const sendCode = async (): Promise<void> => {
    if (worker.isPaused() || !activity.isOccupied(worker.concurrency, INTERVAL_MILLISECONDS)) return;
    if ((await countWaitingCodes()) === 0) return;
    const token = randomUUID();
    // The types hide that there may be none, because the rate is used up or a slot was faster.
    const job: Awaited<ReturnType<Worker['getNextJob']>> | undefined = await worker.getNextJob(token, {
      block: false,
    });
    if (job?.priority) await job.moveToWait(token);
    else if (job) await worker.processJob(job, token, () => false);
  };
  return runPeriodically(sendCode, { intervalMilliseconds: INTERVAL_MILLISECONDS, onError });
};
