// One load, in a process of its own so that no other disturbs its clock: started by load.ts, told by its first message.
import autocannon from 'autocannon';
import type { Load, LoadResult } from './load.ts';
import { percentile } from './statistics.ts';

const run = (load: Load): Promise<LoadResult> => {
  const { promise, resolve, reject } = Promise.withResolvers<LoadResult>();
  // Autocannon's own histogram counts whole milliseconds, and knows no p95.
  const milliseconds: number[] = [];
  const statuses: Record<number, number> = {};
  const instance = autocannon({ ...load, timeout: 60 }, (error, result) => {
    if (error) return reject(error);
    resolve({
      requests: milliseconds.length,
      perSecond: milliseconds.length / result.duration,
      p50: percentile(milliseconds, 0.5),
      p95: percentile(milliseconds, 0.95),
      p99: percentile(milliseconds, 0.99),
      max: percentile(milliseconds, 1),
      statuses,
      unanswered: result.errors + result.timeouts,
    });
  });
  instance.on('response', (_client, status, _bytes, responseTime) => {
    milliseconds.push(responseTime);
    statuses[status] = (statuses[status] ?? 0) + 1;
  });
  return promise;
};

process.once('message', async (load: Load) => {
  process.send?.(await run(load));
  process.disconnect();
});
