import { setTimeout as delay } from 'node:timers/promises';

type Options = { everyMilliseconds: number; onError: (error: unknown) => void };

/** Does `work` again and again, never twice at once, until stopped; a failure is reported and the next turn comes. */
export const repeat = (work: () => Promise<unknown>, { everyMilliseconds, onError }: Options) => {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await work().catch(onError);
      await delay(everyMilliseconds, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    /** Resolves when the turn under way is over. */
    stop: (): Promise<void> => {
      stopping.abort();
      return running;
    },
  };
};
