import { expect } from 'chai';
import {
  findSlowest,
  findWorstRatio,
  measureAlternately,
  type PageTimes,
  withFailures,
} from './list-times.ts';

const page = (name: string, large: number, small?: number): PageTimes => ({
  ...{ name, isSearch: false, total: 1, large: { p50: large, p95: large } },
  ...(small !== undefined && { small: { p50: small, p95: small } }),
});

describe('benchmark list times', () => {
  it('measures requests alternately, at most `max` times in each round', async () => {
    const order: string[] = [];
    const read = (name: string) => async () => order.push(name);
    const effort = { rounds: 2, min: 1, max: 2, budgetMilliseconds: 60_000 };
    const times = await measureAlternately([read('small'), read('large')], effort);
    expect(order.join(' ')).to.equal('small large small large small large small large');
    expect(times).to.have.lengthOf(2);
  });

  it('measures slow requests at least `min` times', async () => {
    let count = 0;
    const effort = { rounds: 1, min: 3, max: 9, budgetMilliseconds: 0 };
    await measureAlternately([async () => ++count], effort);
    expect(count).to.equal(3);
  });

  it('counts a failed page as slow and keeps the error', async () => {
    const failed = await withFailures({ name: 'a', isSearch: false, total: 7 }, () =>
      Promise.reject(new Error('503')),
    );
    expect(failed).to.deep.include({
      name: 'a',
      total: 7,
      failure: '503',
      large: { p50: 5_000, p95: 5_000 },
    });
    expect(findSlowest([page('b', 4_000), failed])?.name).to.equal('a');
  });

  it('finds the worst ratio among the pages of both sizes', () => {
    const pages = [page('a', 6, 2), page('b', 900), page('c', 4, 1), page('d', 50, 40)];
    expect(findWorstRatio(pages)?.name).to.equal('c');
    expect(findSlowest(pages)?.name).to.equal('b');
    expect(findWorstRatio([page('b', 900)])).to.equal(undefined);
  });
});
