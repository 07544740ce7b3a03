/** Something that the load does so many times a second; `run` answers false when nobody was free to do it. */
export type Operation = { perSecond: number; run: () => Promise<boolean> };

const TICK_MILLISECONDS = 10;

/**
 * Starts what is due at a fixed rate, whether or not what was started before has ended: a platform that is slow or down
 * gets no fewer requests.
 */
export const startSteadyLoad = (operations: readonly Operation[]) => {
  const began = performance.now();
  const started = operations.map(() => 0);
  const running = new Set<Promise<unknown>>();
  const errors: unknown[] = [];
  let idle = 0;

  const start = (operation: Operation): void => {
    const run = operation
      .run()
      .then((wasFree) => {
        if (!wasFree) idle += 1;
      })
      .catch((error: unknown) => errors.push(error))
      .finally(() => running.delete(run));
    running.add(run);
  };

  const tick = (): void => {
    const seconds = (performance.now() - began) / 1_000;
    for (const [index, operation] of operations.entries())
      while ((started[index] ?? 0) < Math.floor(seconds * operation.perSecond)) {
        started[index] = (started[index] ?? 0) + 1;
        start(operation);
      }
  };
  const timer = setInterval(tick, TICK_MILLISECONDS);

  return {
    /** Resolves when everything under way has ended; tells what could not be sent for want of a free actor. */
    stop: async (): Promise<{ notSent: number }> => {
      clearInterval(timer);
      await Promise.all(running);
      if (errors.length > 0) throw new AggregateError(errors, 'The load itself failed');
      return { notSent: idle };
    },
  };
};

export type SteadyLoad = ReturnType<typeof startSteadyLoad>;
