import { unavailable } from '../errors/app-error.ts';

type Options = { places: number; maxWaiting: number; maxWaitMilliseconds: number };

const overloaded = () => unavailable('Too many concurrent sign-ins; retry later.');

/**
 * Lets so many tasks run at a time, in the order of their arrival. A task that waits too long leaves the queue; aborting it in
 * the pool would end the thread of a task that has begun.
 */
export const createTurns = ({ places, maxWaiting, maxWaitMilliseconds }: Options) => {
  const waiting = new Set<() => void>();
  let free = places;

  return {
    /** @throws AppError 503 */
    take: async (): Promise<void> => {
      if (free > 0) {
        free -= 1;
        return;
      }
      if (waiting.size >= maxWaiting) throw overloaded();
      await new Promise<void>((resolve, reject) => {
        const start = () => {
          clearTimeout(timer);
          resolve();
        };
        const timer = setTimeout(() => {
          waiting.delete(start);
          reject(overloaded());
        }, maxWaitMilliseconds);
        waiting.add(start);
      });
    },

    release: (): void => {
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        next();
      } else free += 1;
    },

    waiting: (): number => waiting.size,
  };
};
