import { expect } from 'chai';
import { summarize } from '../interleaved-runs.ts';
import { toRatio } from './ratio.ts';

const target = (name: string, ...rates: number[]) => {
  const rest = {
    requests: 10,
    p50: 1,
    p95: 2,
    p99: 3,
    max: 9,
    statuses: {},
    unanswered: 0,
    nextRequests: [],
  };
  return [name, summarize(rates.map((perSecond) => ({ ...rest, perSecond })))] as const;
};

describe('benchmark ratio', () => {
  const comparison = { name: 'me', of: 'gateway', to: 'peer', atLeast: 2 };

  it('is the median of the ratios of the rounds, so that a slow round counts once', () => {
    const results = new Map([target('gateway', 400, 100, 420), target('peer', 200, 50, 300)]);
    expect(toRatio(results, comparison)).to.deep.include({
      ...{ name: 'me', value: 2, target: { atLeast: 2 } },
      basis: '400/s against 200/s, by round 1.40 to 2.00',
    });
  });

  it('has the reason why there is no value', () => {
    const results = new Map([target('gateway', 400)]);
    expect(toRatio(results, comparison)).to.include({ missing: 'gateway or peer does not run here' });
  });
});
