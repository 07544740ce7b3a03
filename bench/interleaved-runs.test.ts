import { expect } from 'chai';
import { summarize } from './interleaved-runs.ts';
import type { LoadResult } from './load/load.ts';

const round = (perSecond: number, p99: number): LoadResult => ({
  ...{ requests: 10, perSecond, p50: 1, p95: 2, p99, max: 9 },
  ...{ statuses: { 200: 10 }, unanswered: 0, followed: [] },
});

describe('The rounds of the benchmark', () => {
  it('When they are summed up, then each figure is the median of its own rounds, and the requests are all of them', () => {
    const summary = summarize([round(100, 8), round(300, 5), round(200, 90)]);
    expect(summary).to.include({ perSecond: 200, slowest: 100, fastest: 300, p99: 8, requests: 30 });
  });
});
