import { expect } from 'chai';
import { type Measured, mergeRounds } from './cost-by-load.ts';

const measured = (name: string, rate: number, requests: number, microseconds: number[]): Measured => ({
  ...{ name, rate, requests, perSecond: rate, microseconds },
});

describe('cost by load, rounds', () => {
  it('are weighted by their requests, for each operation and rate', () => {
    const merged = mergeRounds([
      measured('me', 50, 100, [10, 40]),
      measured('me', 200, 400, [5, 5]),
      measured('me', 50, 300, [20, 0]),
    ]);
    expect(merged.map(({ rate, requests }) => [rate, requests])).to.deep.equal([
      [50, 400],
      [200, 400],
    ]);
    expect(merged[0]?.microseconds).to.deep.equal([17.5, 10]);
  });

  it('show no negative time of a process without part in the request', () => {
    const [merged] = mergeRounds([measured('me', 50, 100, [10, -3]), measured('me', 50, 100, [10, 1])]);
    expect(merged?.microseconds).to.deep.equal([10, 0]);
  });
});
