import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { createTotals } from './totals.ts';

describe('totals of lists', () => {
  let now: number;
  let total: number;
  let counts: number;
  let failure: Error | undefined;
  let read: (key?: string) => Promise<number>;
  beforeEach(() => {
    [now, counts, failure] = [0, 0, undefined];
    const readTotal = createTotals(() => now);
    read = (key = 'users') =>
      readTotal(key, async () => {
        counts += 1;
        if (failure) throw failure;
        return total;
      });
  });

  it('are counted for each request up to 10,000', async () => {
    for (total of [9_999, 10_000, 0]) expect(await read()).to.equal(total);
    expect(counts).to.equal(3);
  });

  it('are cached beyond 10,000, for each list and its filters', async () => {
    total = 10_001;
    await read();
    total = 20_000;
    expect(await read()).to.equal(10_001);
    expect(await read('blocked users')).to.equal(20_000);
  });

  it('are refreshed once in the background after eight seconds', async () => {
    total = 10_001;
    await read();
    [now, total] = [8_000, 20_000];
    expect(await Promise.all([read(), read()])).to.deep.equal([10_001, 10_001]);
    await setImmediate();
    expect(await read()).to.equal(20_000);
    expect(counts).to.equal(2);
  });

  it('are counted again before the response after ten seconds', async () => {
    total = 10_001;
    await read();
    [now, total] = [10_000, 20_000];
    expect(await read()).to.equal(20_000);
  });

  it('are kept for ten seconds if the refresh fails, then the request fails', async () => {
    total = 10_001;
    await read();
    [now, failure] = [8_000, new Error('away')];
    expect(await read()).to.equal(10_001);
    await setImmediate();
    now = 9_999;
    expect(await read()).to.equal(10_001);
    now = 10_000;
    expect(await read().catch((error: unknown) => error)).to.equal(failure);
  });

  it('are counted once for concurrent requests, also if the count fails', async () => {
    total = 10_001;
    expect(await Promise.all([read(), read()])).to.deep.equal([10_001, 10_001]);
    [now, failure] = [10_000, new Error('away')];
    const results = await Promise.allSettled([read(), read()]);
    expect(results.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    expect(counts).to.equal(2);
  });

  it('are counted for each concurrent request up to 10,000', async () => {
    total = 10_000;
    await Promise.all([read(), read()]);
    expect(counts).to.equal(2);
  });

  it('are exact again once they have shrunk to 10,000', async () => {
    total = 10_001;
    await read();
    [now, total] = [10_000, 10_000];
    await read();
    total = 9_000;
    expect(await read()).to.equal(9_000);
  });
});
