import { getRejection } from '@platform/shared/testing/rejection';
import { expect } from 'chai';
import { responseInvalid } from './oidc.ts';
import { createWaitingLimit } from './waiting-limit.ts';

describe('limit of requests that wait for a provider', () => {
  /** Starts the given number of requests for each address. They wait until `end`. */
  const wait = (addresses: Record<string, number>) => {
    const limit = createWaitingLimit();
    const { promise, resolve } = Promise.withResolvers<void>();
    const pending = Object.entries(addresses).flatMap(([address, count]) =>
      Array.from({ length: count }, () => limit(address, () => promise)),
    );
    const end = async () => {
      resolve();
      await Promise.all(pending);
    };
    return { limit, end };
  };
  const succeed = async () => 'done';

  for (const [name, addresses, address] of [
    ['a sixth of a network', { '192.0.2.1': 5 }, '192.0.2.1'],
    ['a sixth of an IPv6 network', { '2001:db8::1': 5 }, '2001:db8::2'],
    ['an eleventh in all', { '192.0.2.1': 5, '192.0.2.2': 5 }, '192.0.2.3'],
  ] as const)
    it(`rejects ${name} immediately, with Retry-After, until one has ended`, async () => {
      const { limit, end } = wait(addresses);
      const error = await getRejection(limit(address, succeed));
      expect(error).to.have.deep.property('headers', { 'Retry-After': '1' });
      await end();
      expect(await limit(address, succeed)).to.equal('done');
    });

  it('leaves places for another network', async () => {
    const { limit, end } = wait({ '192.0.2.1': 5 });
    expect(await limit('192.0.2.2', succeed)).to.equal('done');
    await end();
  });

  it('is not changed by failures', async () => {
    const limit = createWaitingLimit();
    for (const _ of Array(20))
      await getRejection(limit('192.0.2.1', () => Promise.reject(responseInvalid())));
    expect(await limit('192.0.2.1', succeed)).to.equal('done');
  });
});
