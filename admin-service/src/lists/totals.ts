/** A total above this number may be a few seconds old. */
const MAX_COUNTED = 10_000;
const REFRESH_AFTER_MILLISECONDS = 8_000;
const MAX_AGE_MILLISECONDS = 10_000;
/** Filters by time have any number of values. */
const MAX_TOTALS = 1_000;

/** Caches large totals in this process, because counting a million rows takes 50 ms. */
export const createTotals = (now = () => performance.now()) => {
  const totals = new Map<string, { total: number; countedAt: number }>();
  const running = new Map<string, Promise<number>>();

  return async (key: string, count: () => Promise<number>): Promise<number> => {
    const countNow = async (): Promise<number> => {
      const countedAt = now();
      const total = await count();
      totals.delete(key);
      if (totals.size >= MAX_TOTALS) totals.clear();
      if (total > MAX_COUNTED) totals.set(key, { total, countedAt });
      return total;
    };
    const start = (): Promise<number> => {
      const counted = countNow().finally(() => running.delete(key));
      running.set(key, counted);
      return counted;
    };

    const known = totals.get(key);
    const age = known ? now() - known.countedAt : MAX_AGE_MILLISECONDS;
    if (known && age < MAX_AGE_MILLISECONDS) {
      // An error here is ignored: the next request after the total is too old counts again, and gets its own
      // error.
      if (age >= REFRESH_AFTER_MILLISECONDS && !running.has(key)) start().catch(() => undefined);
      return known.total;
    }
    // Fifty concurrent requests must not count ten million rows fifty times. A small total must include what
    // the user has just changed.
    const shared = running.get(key);
    if (!shared) return await start();
    const total = await shared;
    return total > MAX_COUNTED ? total : await start();
  };
};
