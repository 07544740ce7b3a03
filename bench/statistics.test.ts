import { expect } from 'chai';
import { growthOfLevel, median, percentile } from './statistics.ts';

describe('benchmark statistics', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

  it('computes percentiles of unsorted values', () => {
    expect([0.5, 0.95, 0.99, 1].map((share) => percentile(hundred, share))).to.deep.equal([50, 95, 99, 100]);
  });

  it('returns a single value for every percentile, and NaN without values', () => {
    expect(percentile([7], 0.99)).to.equal(7);
    expect(median([])).to.be.NaN;
  });

  it('takes the mean of the two middle values as the median of an even number', () => {
    expect(median([400, 100, 200, 300])).to.equal(250);
    expect(median([1, 2])).to.equal(1.5);
  });

  it('computes a median that ignores an outlier', () => {
    expect(median([10, 11, 12, 9_000, 11])).to.equal(11);
  });

  const sawtooth = (count: number, leak: number) =>
    Array.from({ length: count }, (_, index) => 100 + (index % 40) * 4 + index * leak);

  it('reports no memory growth when everything is collected', () => {
    expect(growthOfLevel(sawtooth(1_800, 0))).to.equal(0);
  });

  it('reports the growth of a memory leak between collections', () => {
    // 900 values, the second half, leak 3 MB.
    expect(growthOfLevel(sawtooth(1_800, 3 / 900))).to.be.closeTo(3, 0.3);
  });
});
