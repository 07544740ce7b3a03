import { EventEmitter } from 'node:events';
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
  const wait = async ({ caller }: { caller: ServiceCaller }) => caller.beginWaiting();

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
    for (const { caller } of readers) caller.beginWaiting();
    const [next] = await fill();
    await expectRejected(send());
    await expectRejected(next ? wait(next) : Promise.resolve());
    expect(rejected.at(-1)).to.deep.equal({ caller: 'projects', limit: 'waiting' });
    // It is still in flight, and releases its place when its error is sent.
    await expectRejected(send());
    await next?.end();
    await send();
  });

  it('is free at once when the client of a waiting reader disconnects', async () => {
    const readers = await fill();
    for (const { caller } of readers) caller.beginWaiting();
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
