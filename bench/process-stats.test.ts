import { expect } from 'chai';
import { parseStat } from './process-stats.ts';

describe('The figures of a process', () => {
  it('When its name has brackets and spaces in it, then parent and processor time are read all the same', () => {
    const stat = '4242 (postgres: (a) b) S 17 4242 4242 0 -1 4194560 913 0 0 0 250 50 9 9 20 0 1 0 100';
    expect(parseStat(stat, 100)).to.deep.equal({ parent: 17, seconds: 3 });
  });
});
