import { expect } from 'chai';
import { createTargetCost } from './target-cost.ts';

describe('target cost of failed password comparisons', () => {
  it('equals the highest stored cost, at least the configured one and at most 16', async () => {
    for (const [stored, expected] of [
      [undefined, 12],
      [10, 12],
      [12, 12],
      [14, 14],
      [31, 16],
    ])
      expect(await createTargetCost({ cost: 12, readHighest: async () => stored })()).to.equal(expected);
  });

  it('needs one read within its maximum age', async () => {
    let reads = 0;
    const readHighest = async () => {
      reads += 1;
      return 4 + reads;
    };
    const targetCost = createTargetCost({ cost: 4, readHighest });
    expect(await Promise.all([targetCost(), targetCost()])).to.deep.equal([5, 5]);
    expect(await targetCost()).to.equal(5);
    expect(reads).to.equal(1);
  });

  it('follows the stored hashes, and keeps its value while they cannot be read', async () => {
    let readHighest = async (): Promise<number> => 14;
    const targetCost = createTargetCost({
      cost: 12,
      readHighest: () => readHighest(),
      maxAgeMilliseconds: 0,
    });
    expect(await targetCost()).to.equal(14);
    readHighest = () => Promise.reject(new Error('Postgres is unavailable'));
    expect(await targetCost()).to.equal(14);
    readHighest = async () => 13;
    expect(await targetCost()).to.equal(13);
  });

  it('equals the configured cost until the stored ones were read', async () => {
    const readHighest = () => Promise.reject(new Error('Postgres is unavailable'));
    expect(await createTargetCost({ cost: 12, readHighest })()).to.equal(12);
  });
});
