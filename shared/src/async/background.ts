/** Runs work that no response waits for. Its errors are reported, and change nothing else. */
export const createBackground = (onError: (error: unknown) => void) => {
  const pending = new Set<Promise<void>>();
  return {
    run: (work: () => Promise<unknown>): void => {
      const ended = work()
        .then(() => undefined, onError)
        .finally(() => pending.delete(ended));
      pending.add(ended);
    },
    /** Resolves when all work has ended. */
    settle: async (): Promise<void> => {
      await Promise.all(pending);
    },
  };
};

export type Background = ReturnType<typeof createBackground>;
