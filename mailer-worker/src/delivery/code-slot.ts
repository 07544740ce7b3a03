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
    /** Whether at least `slots` mails have been in progress, unchanged, for more than `milliseconds`. */
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
 * Sends a waiting code, one at a time, while slow mails occupy every slot of the worker. A second queue would
 * have a rate limiter of its own: at MAIL_RATE_PER_SECOND=1, the limit of a new account at Amazon SES, both
 * would send two mails a second, and the mail server would defer codes, too.
 */
export const startCodeSlot = ({ worker, activity, countWaitingCodes, onError }: Options) => {
  const sendCode = async (): Promise<void> => {
    if (worker.isPaused() || !activity.isOccupied(worker.concurrency, INTERVAL_MILLISECONDS)) return;
    if ((await countWaitingCodes()) === 0) return;
    const token = randomUUID();
    // BullMQ's types are wrong: there is no job if the rate limit is reached or another slot took it.
    const job: Awaited<ReturnType<Worker['getNextJob']>> | undefined = await worker.getNextJob(token, {
      block: false,
    });
    if (job?.priority) await job.moveToWait(token);
    else if (job) await worker.processJob(job, token, () => false);
  };
  return runPeriodically(sendCode, { intervalMilliseconds: INTERVAL_MILLISECONDS, onError });
};
