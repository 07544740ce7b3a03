/**
 * The maximum configurable cost. An imported hash with a higher cost must not slow down every wrong password.
 */
export const MAX_BCRYPT_COST = 16;

type TargetCostOptions = {
  /** The cost of new hashes. */
  cost: number;
  /** The highest cost of any stored hash; undefined if there is none. */
  readHighest: () => Promise<number | undefined>;
  /** How long a value is cached. */
  maxAgeMilliseconds?: number;
};

/**
 * The cost that determines the work of each failed comparison. It is the highest one in use, because timing
 * would reveal a hash with a lower cost. While it cannot be read, the last known value is used.
 */
export const createTargetCost = ({ cost, readHighest, maxAgeMilliseconds = 10_000 }: TargetCostOptions) => {
  let highest = Promise.resolve(cost);
  let readAt = Number.NEGATIVE_INFINITY;
  const read = async (last: Promise<number>): Promise<number> => {
    try {
      return Math.min(Math.max(cost, (await readHighest()) ?? cost), MAX_BCRYPT_COST);
    } catch {
      return await last;
    }
  };
  return (): Promise<number> => {
    if (performance.now() - readAt >= maxAgeMilliseconds) {
      readAt = performance.now();
      highest = read(highest);
    }
    return highest;
  };
};
