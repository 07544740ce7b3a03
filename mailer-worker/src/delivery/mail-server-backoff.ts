const MIN_MILLISECONDS = 1_000;
const MAX_MILLISECONDS = 30_000;

type Options = {
  worker: { concurrency: number };
  /** Applies to all workers. */
  pauseQueue: (milliseconds: number) => Promise<void>;
  concurrency: number;
};

/**
 * While the mail server is unreachable or rejects the login, the worker tries one mail at a time, with pauses
 * from 1 s to 30 s: providers lock accounts after many failed logins. For the same reason it starts with a
 * concurrency of one, until the server has accepted a mail.
 */
export const createMailServerBackoff = ({ worker, pauseQueue, concurrency }: Options) => {
  let milliseconds = MIN_MILLISECONDS;
  let lastResult = Number.NEGATIVE_INFINITY;

  return {
    onSent: (): void => {
      lastResult = performance.now();
      milliseconds = MIN_MILLISECONDS;
      worker.concurrency = concurrency;
    },
    /** @param startedAt start of the attempt, by performance.now() */
    onServerError: async (startedAt: number): Promise<void> => {
      // Either the pause for this error has already begun, or other mails succeed and the server only limits
      // connections.
      if (startedAt < lastResult) return;
      lastResult = performance.now();
      worker.concurrency = 1;
      const pauseMilliseconds = milliseconds;
      milliseconds = Math.min(2 * milliseconds, MAX_MILLISECONDS);
      await pauseQueue(pauseMilliseconds);
    },
  };
};
