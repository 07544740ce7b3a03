/** `run` returns false when every actor is busy. */
export type Operation = { perSecond: number; run: () => Promise<boolean> };

const TICK_MILLISECONDS = 10;

/**
 * Starts operations at a fixed rate, even while earlier ones are running, so that a slow platform gets no
 * fewer requests.
 */
export const startSteadyLoad = (operations: readonly Operation[]) => {
  const began = performance.now();
  const started = operations.map(() => 0);
  const running = new Set<Promise<unknown>>();
  const errors: unknown[] = [];
  let notSent = 0;

  const start = (operation: Operation): void => {
    const run = operation
      .run()
      .then((wasStarted) => {
        if (!wasStarted) notSent += 1;
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
    /**
     * Resolves when all running operations have ended. `notSent` counts operations for which every actor was
     * busy.
     */
    stop: async (): Promise<{ notSent: number }> => {
      clearInterval(timer);
      await Promise.all(running);
      if (errors.length > 0)
        throw new AggregateError(errors, `The load itself failed ${errors.length} times: ${errors[0]}`);
      return { notSent };
    },
  };
};
