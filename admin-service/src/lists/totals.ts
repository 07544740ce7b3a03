/** A total beyond this number may be some seconds old. */
const MAX_COUNTED = 10_000;
const REFRESH_AFTER_MILLISECONDS = 5_000;
const MAX_AGE_MILLISECONDS = 10_000;

/** Remembers large totals in this process: counting a million rows takes 50 ms. */
export const createTotals = (now = () => performance.now()) => {
  const totals = new Map<string, { total: number; countedAt: number; isRefreshing: boolean }>();

  return async (key: string, count: () => Promise<number>): Promise<number> => {
    const countNow = async (): Promise<number> => {
      const countedAt = now();
      const total = await count();
      if (total > MAX_COUNTED) totals.set(key, { total, countedAt, isRefreshing: false });
      else totals.delete(key);
      return total;
    };
    const known = totals.get(key);
    const age = known ? now() - known.countedAt : MAX_AGE_MILLISECONDS;
    if (!known || age >= MAX_AGE_MILLISECONDS) return await countNow();
    if (age >= REFRESH_AFTER_MILLISECONDS && !known.isRefreshing) {
      known.isRefreshing = true;
      // If it fails, the total is counted again once it is too old, by a request that then gets the error.
      countNow().catch(() => undefined);
    }
    return known.total;
  };
};
