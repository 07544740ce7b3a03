import { expect } from 'chai';
import { parseStat } from './process-stats.ts';

describe('process statistics', () => {
  it('reads parent and processor time of a process with brackets in its name', () => {
    const stat = '4242 (postgres: (a) b) S 17 4242 4242 0 -1 4194560 913 0 0 0 250 50 9 9 20 0 1 0 100';
    expect(parseStat(stat, 100)).to.deep.equal({ parent: 17, seconds: 3 });
  });
});
