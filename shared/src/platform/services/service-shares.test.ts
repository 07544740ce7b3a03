import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { getRejection } from '@platform/shared/testing/rejection';
import { expect } from 'chai';
import type { Request, Response } from 'express';
import { type ServiceCaller, withShares } from './service-shares.ts';

const SHARE = 32;

describe("a service's share of an instance", () => {
  let rejected: unknown[];
  let authenticate: ReturnType<typeof withShares>;
  beforeEach(() => {
    rejected = [];
    const counter = () => (labels: object) => rejected.push(labels);
    authenticate = withShares(async ({ headers }) => ({ service: String(headers.from) }), [], { counter });
  });

  /** A request whose handler runs until `end`. */
  const send = async (from = 'projects') => {
    const { promise: handling, resolve } = Promise.withResolvers<void>();
    const req = { headers: { from }, state: { handling } };
    const res = new EventEmitter();
    const caller = await authenticate(req as unknown as Request, res as unknown as Response);
    return {
      caller,
      disconnect: () => res.emit('close'),
      end: async () => {
        res.emit('close');
        resolve();
        await handling;
      },
    };
  };
  const fill = (from?: string) => Promise.all(Array.from({ length: SHARE }, () => send(from)));
  const expectRejected = async (sending: Promise<unknown>) =>
    expect(await getRejection(sending)).to.deep.include({
      status: 429,
      code: 'RATE_LIMITED',
      headers: { 'Retry-After': '1' },
    });
  const wait = ({ caller }: { caller: ServiceCaller }) => caller.beginWaiting();

  it('is 32 requests in flight, and apart from that of another service', async () => {
    const [first] = await fill();
    await expectRejected(send());
    await fill('market');
    expect(rejected).to.deep.equal([{ caller: 'projects', limit: 'requests' }]);
    await first?.end();
    await send();
    await expectRejected(send());
  });

  it('is also 32 waiting readers, which are not in flight', async () => {
    const readers = await fill();
    for (const { caller } of readers) await caller.beginWaiting();
    const [next] = await fill();
    await expectRejected(send());
    const rejection = expectRejected(next ? wait(next) : Promise.resolve());
    expect(rejected.at(-1)).to.deep.equal({ caller: 'projects', limit: 'waiting' });
    // It is not in flight any more, also while its rejection is delayed.
    const other = await send();
    await expectRejected(send());
    await rejection;
    await next?.end();
    await expectRejected(send());
    await other.end();
    await send();
  });

  it('is free at once when the client of a waiting reader disconnects', async () => {
    const readers = await fill();
    for (const { caller } of readers) await caller.beginWaiting();
    readers[0]?.disconnect();
    await Promise.resolve();
    await wait(await send());
    await expectRejected(send().then(wait));
  });

  it('is free only after the handler has ended when the client of another request disconnects', async () => {
    const requests = await fill();
    for (const { disconnect } of requests) disconnect();
    await expectRejected(send());
    for (const { end } of requests) await end();
    await fill();
    await expectRejected(send());
  });

  it('delays rejections by different times, so that a client that ignores them cannot repeat them at once', async () => {
    await fill();
    const started = performance.now();
    const times = await Promise.all(
      Array.from({ length: 20 }, async () => {
        await expectRejected(send());
        return performance.now() - started;
      }),
    );
    expect(Math.min(...times)).to.be.at.least(200);
    expect(Math.max(...times) - Math.min(...times)).to.be.at.least(100);
  });

  it('runs the work that needs a turn one after another, apart from that of another service', async () => {
    const [one, other, market] = [await send(), await send(), await send('market')];
    const running: string[] = [];
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const run = (name: string, { caller }: typeof one) =>
      caller.inTurn(async () => {
        running.push(name);
        await held;
      });
    const all = [run('one', one), run('other', other), run('market', market)];
    await new Promise(setImmediate);
    expect(running).to.deep.equal(['one', 'market']);
    release();
    await Promise.all(all);
    expect(running).to.deep.equal(['one', 'market', 'other']);
  });

  it('pauses after a turn as long as it took, up to 25 ms', async () => {
    const { caller } = await send();
    const first = caller.inTurn(async () => {
      await delay(100);
      return performance.now();
    });
    const second = caller.inTurn(async () => performance.now());
    expect((await second) - (await first)).to.be.at.least(20);
  });

  it('is not used by a request without the correct secret', async () => {
    const failing = withShares(
      async () => {
        throw new Error('wrong secret');
      },
      [],
      { counter: () => () => rejected.push('share') },
    );
    for (let count = 0; count <= SHARE; count += 1)
      await getRejection(failing({} as Request, new EventEmitter() as unknown as Response));
    expect(rejected).to.deep.equal([]);
  });
});
