import { expect } from 'chai';
import { ADVISORY_LOCKS } from './advisory-locks.ts';

describe('advisory locks', () => {
  it('have a key each', () => {
    const keys = Object.values(ADVISORY_LOCKS);
    expect(new Set(keys).size).to.equal(keys.length);
  });
});
