import { expect } from 'chai';
import type { Summary } from '../interleaved-runs.ts';
import { toRatio } from './ratio.ts';

describe('benchmark ratio of processor times', () => {
  const summary = (...costs: Summary['costs'][number][]): Summary => ({
    ...{ requests: 1, perSecond: 1, p50: 1, p95: 1, p99: 1, max: 1, statuses: {}, unanswered: 0 },
    ...{ nextRequests: [], rates: [], costs },
  });
  const results = new Map([
    ['ours', summary({ gateway: 3, auth: 1 }, { gateway: 4, auth: 2 }, { gateway: 30, auth: 3 })],
    ['bare', summary({ gateway: 2, auth: 2 }, { gateway: 2, auth: 1 }, { gateway: 10, auth: 1 })],
  ]);
  const ratio = (options: object = {}) =>
    toRatio(results, { name: 'me', of: 'ours', to: 'bare', target: { atMost: 1 }, ...options });

  it('is the median of the ratios of the rounds, of all processes together', () => {
    expect(ratio()).to.include({ value: 2, basis: '6.00 µs against 4.00 µs, by round 1.00 to 3.00' });
  });

  it('compares one process when it is named', () => {
    expect(ratio({ process: 'gateway' })).to.include({ value: 2, unit: '×' });
    expect(ratio({ process: 'auth' })).to.include({ value: 2 });
    expect(ratio({ process: 'gateway', of: 'bare', to: 'ours' })).to.include({ value: 0.5 });
  });

  it('is missing when one of them does not run here', () => {
    expect(ratio({ to: 'Directus' })).to.have.property('missing', 'ours or Directus does not run here');
  });
});
