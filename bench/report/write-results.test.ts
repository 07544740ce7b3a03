import { expect } from 'chai';
import { nextName } from './write-results.ts';

describe('The files of the benchmark', () => {
  it('When it runs again on the same day, then the earlier results are kept', () => {
    expect(nextName('2026-11-20', [])).to.equal('2026-11-20-1');
    const names = ['2026-11-20-1.md', '2026-11-20-2.md', '2026-11-19-7.md', 'speed.svg'];
    expect(nextName('2026-11-20', names)).to.equal('2026-11-20-3');
  });
});
