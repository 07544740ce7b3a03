import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { createKeyLoader } from './batch-loader.ts';

type Row = { key: string; number: number };

describe('Batch loader', () => {
  let statements: (readonly string[])[];
  let stored: Row[];
  let failure: Error | undefined;
  let lookUp: (key: string) => Promise<Row | undefined>;

  beforeEach(() => {
    statements = [];
    stored = [
      { key: 'two', number: 2 },
      { key: 'one', number: 1 },
    ];
    failure = undefined;
    lookUp = createKeyLoader(async (keys) => {
      statements.push([...keys]);
      if (failure) throw failure;
      return stored.filter(({ key }) => keys.includes(key));
    });
  });

  it('sends one statement per turn and returns each row or undefined', async () => {
    const found = await Promise.all([lookUp('one'), lookUp('nobody'), lookUp('two'), lookUp('one')]);
    expect(found.map((row) => row?.number)).to.deep.equal([1, undefined, 2, 1]);
    expect(statements).to.deep.equal([['one', 'nobody', 'two', 'one']]);
  });

  it('includes keys that other callbacks of the same turn request', async () => {
    const lookups: Promise<Row | undefined>[] = [];
    for (const key of ['one', 'two']) process.nextTick(() => lookups.push(lookUp(key)));
    await nextTurn();
    await Promise.all(lookups);
    expect(statements).to.deep.equal([['one', 'two']]);
  });

  it('caches nothing between statements', async () => {
    expect(await lookUp('one')).to.deep.equal({ key: 'one', number: 1 });
    stored = [];
    expect(await lookUp('one')).to.equal(undefined);
    expect(statements).to.have.length(2);
  });

  it('rejects every caller of a failed statement, and queries again afterwards', async () => {
    failure = new Error('away');
    const results = await Promise.allSettled([lookUp('one'), lookUp('two')]);
    for (const result of results) expect(result).to.include({ status: 'rejected', reason: failure });
    failure = undefined;
    expect(await lookUp('two')).to.deep.equal({ key: 'two', number: 2 });
  });

  it('limits a statement to 100 keys', async () => {
    await Promise.all(Array.from({ length: 250 }, (_, number) => lookUp(String(number))));
    expect(statements.map((keys) => keys.length)).to.deep.equal([100, 100, 50]);
  });
});
