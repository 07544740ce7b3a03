import { expect } from 'chai';
import { createMailServerBackoff } from './mail-server-backoff.ts';

describe('mail server backoff', () => {
  const create = () => {
    const pauses: number[] = [];
    const worker = { concurrency: 1 };
    const pauseQueue = async (milliseconds: number) => void pauses.push(milliseconds);
    return { pauses, worker, backoff: createMailServerBackoff({ worker, pauseQueue, concurrency: 5 }) };
  };

  it('doubles the pause up to 30 s, and begins again with 1 s after a sent mail', async () => {
    const { pauses, worker, backoff } = create();
    const fail = () => backoff.onServerError(performance.now());
    for (let failures = 0; failures < 7; failures += 1) await fail();
    expect(pauses).to.deep.equal([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    expect(worker.concurrency).to.equal(1);
    backoff.onSent();
    expect(worker.concurrency).to.equal(5);
    await fail();
    expect(pauses.at(-1)).to.equal(1_000);
  });

  it('ignores attempts that began before the current pause, or before a mail was sent', async () => {
    const { pauses, worker, backoff } = create();
    const startedAt = performance.now() - 1;
    await backoff.onServerError(startedAt);
    await backoff.onServerError(startedAt);
    expect(pauses).to.deep.equal([1_000]);
    backoff.onSent();
    await backoff.onServerError(startedAt);
    expect(pauses).to.deep.equal([1_000]);
    expect(worker.concurrency).to.equal(5);
  });
});
