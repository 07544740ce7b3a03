/** The value below which a share of the values lies: 0.99 for the 99th percentile. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
};

/** For an even number of values, the mean of the two in the middle. */
export const median = (values: readonly number[]): number =>
  (percentile(values, 0.5) + percentile(values, (Math.floor(values.length / 2) + 1) / values.length)) / 2;

/** The ratio of each pair of values, such as the rates of two targets in the same round. */
export const ratiosOf = (these: readonly number[], those: readonly number[]): number[] =>
  these.map((value, index) => value / (those[index] ?? Number.NaN));

/**
 * The growth in the second half of evenly spaced values: 1.5 times the difference between the medians of its
 * last and first third, because these are two thirds of it apart. Memory grows until it is collected, so a
 * median, which covers many collections, is steadier than a peak or a slope.
 */
export const growthOfLevel = (values: readonly number[]): number => {
  const third = values.length / 6;
  const level = (index: number) =>
    median(values.slice(Math.round(index * third), Math.round((index + 1) * third)));
  return (level(5) - level(3)) * 1.5;
};
