import { expect } from 'chai';
import { growthOf, median, percentile } from './statistics.ts';

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

  it('When a series rises steadily, then its growth is what it rose in all', () => {
    expect(growthOf([100, 101, 102, 103, 104])).to.equal(4);
  });

  it('When memory goes up and is collected again and again, then it has not grown', () => {
    const teeth = Array.from({ length: 60 }, (_, index) => 100 + (index % 6) * 4);
    expect(growthOf(teeth)).to.be.within(-1, 1);
  });

  it('When a leak hides under the collections, then it is found', () => {
    const leak = Array.from({ length: 60 }, (_, index) => 100 + (index % 6) * 4 + index * 0.5);
    expect(growthOf(leak)).to.be.within(27, 32);
  });
});
