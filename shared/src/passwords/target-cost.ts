/** The highest cost that this platform sets. One imported hash of a higher one must not slow every wrong password. */
export const MAX_BCRYPT_COST = 16;

type Options = {
  /** The cost of new hashes. */
  cost: number;
  /** The highest cost of any stored hash; undefined when there is none. */
  readHighest: () => Promise<number | undefined>;
  /** How long a value is used before it is read again. */
  maxAgeMilliseconds?: number;
};

/**
 * The cost whose work each failed comparison takes: the highest one in use, or a hash of a lower cost would be recognised by
 * its time. While it cannot be read, the last known one holds.
 */
export const createTargetCost = ({ cost, readHighest, maxAgeMilliseconds = 10_000 }: Options) => {
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
