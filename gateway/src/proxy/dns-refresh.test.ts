import { createLog } from '@platform/shared/log/log';
import { expect } from 'chai';
import { startDnsRefresh } from './dns-refresh.ts';
import { createUpstreamPool } from './upstream-pool.ts';

const NAME = 'http://auth-service:3001';
const FIRST = 'http://10.0.0.1:3001';
const SECOND = 'http://10.0.0.2:3001';
const THIRD = 'http://10.0.0.3:3001';

const toLookupResult = (address: string) => ({ address, family: address.includes(':') ? 6 : 4 });

/** Resolves `urls` with a fake DNS, once here and again on each `setAddresses`. */
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

describe('DNS refresh', () => {
  it('makes each address of a hostname an instance of the pool', async () => {
    const { pool } = await startRefresh([NAME], ['10.0.0.2', '10.0.0.1']);
    expect(pool.urls).to.deep.equal([FIRST, SECOND]);
    expect(pool.select('rest').url).to.equal(FIRST);
    expect(pool.select('rest').url).to.equal(SECOND);
    expect(pool.select('rest').target).to.deep.equal({
      protocol: 'http:',
      hostname: '10.0.0.1',
      port: '3001',
    });
  });

  it('adds new addresses and removes old ones', async () => {
    const { pool, setAddresses } = await startRefresh([NAME], ['10.0.0.1', '10.0.0.2']);
    await setAddresses(['10.0.0.2', '10.0.0.3']);
    expect(pool.urls).to.deep.equal([SECOND, THIRD]);
    expect([pool.select('rest').url, pool.select('rest').url]).to.have.members([SECOND, THIRD]);
  });

  it('keeps the ejection of an instance whose address stays', async () => {
    const { pool, setAddresses } = await startRefresh([NAME], ['10.0.0.1', '10.0.0.2']);
    pool.record(pool.select('rest'), 'connection', 'refused');
    await setAddresses(['10.0.0.1', '10.0.0.2', '10.0.0.3']);
    const chosen = Array.from({ length: 4 }, () => pool.select('rest').url);
    expect(chosen).to.have.members([SECOND, THIRD, SECOND, THIRD]);
  });

  it('continues the round robin when the next instance is removed', async () => {
    const { pool, setAddresses } = await startRefresh([NAME], ['10.0.0.1', '10.0.0.2', '10.0.0.3']);
    pool.select('rest');
    pool.select('rest');
    await setAddresses(['10.0.0.1', '10.0.0.2']);
    expect([pool.select('rest').url, pool.select('rest').url]).to.have.members([FIRST, SECOND]);
  });

  it('keeps the last addresses when the lookup fails or returns none', async () => {
    const { pool, setAddresses } = await startRefresh([NAME], new Error('ENOTFOUND'));
    expect(pool.urls, 'at the start').to.deep.equal([NAME]);
    for (const addresses of [['10.0.0.1', '10.0.0.2'], ['10.0.0.1']])
      for (const outage of [[], new Error('EAI_AGAIN')]) {
        await setAddresses(addresses);
        await setAddresses(outage);
        expect(pool.urls, 'later').to.deep.equal([FIRST, SECOND].slice(0, addresses.length));
      }
  });

  it('uses one address family, so that a dual-stack instance is not selected twice as often', async () => {
    const { pool, setAddresses } = await startRefresh([NAME], ['fd00::1', 'fd00::2', '10.0.0.1', '10.0.0.2']);
    expect(pool.urls).to.deep.equal([FIRST, SECOND]);
    await setAddresses(['fd00::1', '10.0.0.1']);
    expect(pool.urls).to.deep.equal([FIRST]);
    await setAddresses(['fd00::1', 'fd00::2']);
    expect(pool.urls).to.deep.equal(['http://[fd00::1]:3001', 'http://[fd00::2]:3001']);
  });

  it('does not look up IP addresses', async () => {
    const urls = [FIRST, 'http://[::1]:3001'];
    const { pool, dns } = await startRefresh(urls, ['10.0.0.9', '10.0.0.8']);
    expect(pool.urls).to.deep.equal(urls);
    expect(dns.queries).to.deep.equal([]);
  });
});
