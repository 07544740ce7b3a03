/** The value below which that share of the values lies, 0.99 for the 99th percentile. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
};

/** Of an even number of values, halfway between the two in the middle: neither the better nor the worse is preferred. */
export const median = (values: readonly number[]): number =>
  (percentile(values, 0.5) + percentile(values, (Math.floor(values.length / 2) + 1) / values.length)) / 2;

/**
 * How probable it is that one of `these` is larger than one of `those` (Mann and Whitney): 0.5 when nothing tells them
 * apart, 0 or 1 when everything does.
 */
export const probabilityOfLarger = (these: readonly number[], those: readonly number[]): number => {
  let wins = 0;
  for (const one of these)
    for (const other of those) {
      if (one > other) wins += 1;
      else if (one === other) wins += 0.5;
    }
  return wins / (these.length * those.length);
};

/** How often somebody guesses right, at best, who calls every time above some limit one of `these`: 0.5 is chance. */
export const bestGuess = (these: readonly number[], those: readonly number[]): number => {
  const shareAbove = (values: readonly number[], limit: number) =>
    values.filter((value) => value > limit).length / values.length;
  const hits = [...these, ...those].map((limit) => {
    const right = (shareAbove(these, limit) + 1 - shareAbove(those, limit)) / 2;
    return Math.max(right, 1 - right);
  });
  return Math.max(...hits);
};

/** How much of the two ranges from the 5th to the 95th percentile is common to both: 1 when they are the same. */
export const overlapOfRanges = (these: readonly number[], those: readonly number[]): number => {
  const ranges = [these, those].map(
    (values) => [percentile(values, 0.05), percentile(values, 0.95)] as const,
  );
  const lows = ranges.map(([low]) => low);
  const highs = ranges.map(([, high]) => high);
  const common = Math.min(...highs) - Math.max(...lows);
  return Math.max(0, common / (Math.max(...highs) - Math.min(...lows)));
};

/**
 * How far the highest value of the second half lies above that of the first. Memory goes up and is collected, over seconds
 * or minutes: a slope would take the way up for growth, while the height that is reached tells a leak.
 */
export const growthOfPeak = (values: readonly number[]): number => {
  const half = Math.floor(values.length / 2);
  return Math.max(...values.slice(half)) - Math.max(...values.slice(0, half));
};
