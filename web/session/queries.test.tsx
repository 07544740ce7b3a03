import { mock } from 'node:test';
import { PlatformError } from '@platform/client';
import { QueryObserver } from '@tanstack/react-query';
import { expect } from 'chai';
import { createQueryClient } from './queries.ts';

describe('polled queries', () => {
  /** A query that is shown while the platform gives this answer; returns how often it has asked. */
  const show = async (read: () => Promise<string>): Promise<() => number> => {
    let count = 0;
    const queries = createQueryClient();
    const observer = new QueryObserver(queries, {
      queryKey: ['requests'],
      queryFn: () => {
        count += 1;
        return read();
      },
      meta: { pollMilliseconds: 60_000 },
    });
    observer.subscribe(() => undefined);
    await settle();
    return () => count;
  };
  const settle = () => new Promise((resolve) => setTimeout(resolve));
  const wait = async (milliseconds: number) => {
    mock.timers.tick(milliseconds);
    await settle();
  };

  beforeEach('stop the clock', () => mock.timers.enable({ apis: ['setInterval'] }));
  afterEach('start the clock', () => mock.timers.reset());

  it('load again each minute', async () => {
    const count = await show(async () => 'three');
    await wait(59_999);
    expect(count()).to.equal(1);
    await wait(1);
    expect(count()).to.equal(2);
    await wait(60_000);
    expect(count()).to.equal(3);
  });

  it('load again within 8 s after an outage', async () => {
    const count = await show(() =>
      Promise.reject(new PlatformError('UNAVAILABLE' as never, 'Retry later.', { status: 502 })),
    );
    await wait(8_000);
    expect(count()).to.equal(2);
  });
});
