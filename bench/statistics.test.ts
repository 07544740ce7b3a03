import { expect } from 'chai';
import { growthOfPeak, median, percentile } from './statistics.ts';

describe('The statistics of the benchmark', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

  it('When a share is asked for, then the value is that below which the share lies, in any order given', () => {
    expect([0.5, 0.95, 0.99, 1].map((share) => percentile(hundred, share))).to.deep.equal([50, 95, 99, 100]);
  });

  it('When there is one value, then it is every percentile; when there is none, then there is no number', () => {
    expect(percentile([7], 0.99)).to.equal(7);
    expect(median([])).to.be.NaN;
  });

  it('When the number of values is even, then the median lies halfway between the two in the middle', () => {
    expect(median([400, 100, 200, 300])).to.equal(250);
    expect(median([1, 2])).to.equal(1.5);
  });

  it('When one round goes wrong, then the median does not follow it', () => {
    expect(median([10, 11, 12, 9_000, 11])).to.equal(11);
  });

  const teeth = (count: number, leak: number) =>
    Array.from({ length: count }, (_, index) => 100 + (index % 40) * 4 + index * leak);

  it('When memory goes up and is collected, however slowly, then it has not grown', () => {
    expect(growthOfPeak(teeth(160, 0))).to.equal(0);
  });

  it('When a leak hides under the collections, then it is found', () => {
    expect(growthOfPeak(teeth(160, 0.5))).to.equal(40);
  });
});
