import { expect } from 'chai';
import { summarize } from './interleaved-runs.ts';
import type { LoadResult } from './load/load.ts';

const round = (perSecond: number, p99: number): LoadResult => ({
  ...{ requests: 10, perSecond, p50: 1, p95: 2, p99, max: 9 },
  ...{ statuses: { 200: 10 }, unanswered: 0, nextRequests: [] },
});

describe('interleaved benchmark runs', () => {
  it('takes the median of each metric and the sum of the requests', () => {
    const summary = summarize([round(100, 8), round(300, 5), round(200, 90)]);
    expect(summary).to.include({ perSecond: 200, p99: 8, requests: 30 });
    expect(summary.rates).to.deep.equal([100, 300, 200]);
  });
});
