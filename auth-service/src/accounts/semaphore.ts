import { unavailable } from '@platform/shared/errors/app-error';

type SemaphoreOptions = { permits: number; maxWaiting: number; maxWaitMilliseconds: number };

const overloaded = () => unavailable('Too many concurrent sign-ins; retry later.');

/**
 * Limits the number of concurrent tasks, which start in the order of arrival. A task that waits too long
 * leaves the queue here, because aborting it in the pool would end the thread of a task that has begun.
 */
export const createSemaphore = ({ permits, maxWaiting, maxWaitMilliseconds }: SemaphoreOptions) => {
  const waiting = new Set<() => void>();
  let free = permits;

  return {
    /** @throws AppError 503 */
    acquire: async (): Promise<void> => {
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
