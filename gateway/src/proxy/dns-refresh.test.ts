import { createLog } from '@platform/shared/log/log';
import { expect } from 'chai';
import { startDnsRefresh } from './dns-refresh.ts';
import { createUpstreamPool } from './upstream-pool.ts';

const NAME = 'http://auth-service:3001';
const FIRST = 'http://10.0.0.1:3001';
const SECOND = 'http://10.0.0.2:3001';
const THIRD = 'http://10.0.0.3:3001';

const toLookupResult = (address: string) => ({ address, family: address.includes(':') ? 6 : 4 });

/** Resolves `urls` with a fake DNS at the start and on each `setAddresses`. */
const startRefresh = async (urls: string[], addresses: string[] | Error) => {
  const dns = { addresses, queries: [] as string[] };
  const pool = createUpstreamPool('auth-service', urls);
  const { refresh, stop } = startDnsRefresh({
    pool,
    log: createLog({ service: 'gateway', level: 'silent' }),
    lookupAll: async (hostname) => {
      dns.queries.push(hostname);
      if (dns.addresses instanceof Error) throw dns.addresses;
      return dns.addresses.map(toLookupResult);
    },
  });
  await stop();
  await refresh();
  const setAddresses = async (next: string[] | Error) => {
    dns.addresses = next;
    await refresh();
  };
  return { pool, setAddresses, dns };
};

/** For each lookup: its addresses or error, and the instances afterwards. */
const CASES: Record<string, [addresses: string[] | Error, urls: string[]][]> = {
  'makes each address an instance, adds new ones and removes old ones': [
    [
      ['10.0.0.2', '10.0.0.1'],
      [FIRST, SECOND],
    ],
    [
      ['10.0.0.2', '10.0.0.3'],
      [SECOND, THIRD],
    ],
  ],
  'keeps the last addresses when the lookup fails or returns none': [
    [new Error('ENOTFOUND'), [NAME]],
    [['10.0.0.1'], [FIRST]],
    [[], [FIRST]],
    [new Error('EAI_AGAIN'), [FIRST]],
  ],
  'uses one address family, so that a dual-stack instance is not selected twice as often': [
    [
      ['fd00::1', 'fd00::2', '10.0.0.1', '10.0.0.2'],
      [FIRST, SECOND],
    ],
    [['fd00::1', '10.0.0.1'], [FIRST]],
    [
      ['fd00::1', 'fd00::2'],
      ['http://[fd00::1]:3001', 'http://[fd00::2]:3001'],
    ],
  ],
};

describe('DNS refresh', () => {
  for (const [behaviour, [first = [[], []], ...others]] of Object.entries(CASES))
    it(behaviour, async () => {
      const { pool, setAddresses } = await startRefresh([NAME], first[0]);
      expect(pool.urls).to.deep.equal(first[1]);
      for (const [addresses, urls] of others) {
        await setAddresses(addresses);
        expect(pool.urls).to.deep.equal(urls);
      }
    });

  it('keeps the state of an instance whose address stays', async () => {
    const { pool, setAddresses } = await startRefresh([NAME], ['10.0.0.1', '10.0.0.2']);
    const [first] = pool.instances;
    if (first) first.health.isReady = false;
    await setAddresses(['10.0.0.1', '10.0.0.2', '10.0.0.3']);
    const chosen = Array.from({ length: 4 }, () => pool.select().url);
    expect(chosen).to.have.members([SECOND, THIRD, SECOND, THIRD]);
  });

  it('continues the round robin when the next instance is removed', async () => {
    const { pool, setAddresses } = await startRefresh([NAME], ['10.0.0.1', '10.0.0.2', '10.0.0.3']);
    for (let count = 0; count < 2; count += 1) pool.release(pool.select(), 0);
    await setAddresses(['10.0.0.1', '10.0.0.2']);
    expect([pool.select().url, pool.select().url]).to.have.members([FIRST, SECOND]);
  });

  it('does not look up IP addresses', async () => {
    const urls = [FIRST, 'http://[::1]:3001'];
    const { pool, dns } = await startRefresh(urls, ['10.0.0.9', '10.0.0.8']);
    expect(pool.urls).to.deep.equal(urls);
    expect(dns.queries).to.deep.equal([]);
  });
});
