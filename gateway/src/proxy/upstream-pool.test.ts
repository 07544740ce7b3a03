import { expect } from 'chai';
import { createUpstreamPool } from './upstream-pool.ts';

const URLS = ['http://127.0.0.1:1001', 'http://[::1]:1002', 'http://auth:1003'];
const NOW = 1_000_000;

const createPoolOfThree = () => {
  const pool = createUpstreamPool('auth-service', URLS);
  return {
    ...pool,
    selectUrls: (count: number, now = NOW) =>
      Array.from({ length: count }, () => pool.select('rest', undefined, now).url),
  };
};

describe('upstream pool', () => {
  it('selects instances by round robin', () => {
    expect(createPoolOfThree().selectUrls(4)).to.deep.equal([...URLS, URLS[0]]);
  });

  it('skips an ejected instance for a second', () => {
    const pool = createPoolOfThree();
    const failed = pool.select('rest', undefined, NOW);
    expect(pool.record(failed, 'connection', 'refused', NOW)).to.equal(1_000);
    expect(pool.record(failed, 'connection', 'refused', NOW + 1)).to.equal(0);
    expect(pool.selectUrls(4)).to.have.members([URLS[1], URLS[2], URLS[1], URLS[2]]);
    expect(pool.selectUrls(3, NOW + 2_000)).to.have.members(URLS);
  });

  it('avoids the instance of the failed attempt unless it is the only one', () => {
    const pool = createPoolOfThree();
    const failed = pool.select('rest', undefined, NOW);
    for (let count = 0; count < 4; count++) expect(pool.select('rest', failed, NOW)).not.to.equal(failed);
    const single = createUpstreamPool('admin-service', URLS.slice(0, 1));
    expect(single.select('rest', single.select('rest')).url).to.equal(URLS[0]);
  });

  it('selects the instance with the fewest requests in flight', () => {
    const pool = createPoolOfThree();
    const [first, second, third] = [1, 2, 3].map(() => pool.select('rest', undefined, NOW));
    Object.assign(first ?? {}, { requestsInFlight: 2 });
    Object.assign(second ?? {}, { requestsInFlight: 1 });
    Object.assign(third ?? {}, { requestsInFlight: 1 });
    expect(pool.selectUrls(4)).to.deep.equal([URLS[1], URLS[2], URLS[1], URLS[2]]);
  });

  it('has proxy targets without the brackets of an IPv6 address', () => {
    const pool = createPoolOfThree();
    pool.select('rest', undefined, NOW);
    expect(pool.select('rest', undefined, NOW).target).to.deep.equal({
      protocol: 'http:',
      hostname: '::1',
      port: '1002',
    });
  });

  it('gives the fastest to fail no more than its share', () => {
    const pool = createPoolOfThree();
    for (const instance of pool.instances) instance.requestsInFlight = 5;
    const [failing] = pool.instances;
    if (!failing) throw new Error('The pool has no instance');
    failing.requestsInFlight = 0;
    pool.record(failing, 'rest', 'busy', NOW);
    expect(pool.selectUrls(6)).to.deep.equal([...URLS, ...URLS]);
  });

  it('takes turns in each group of routes', () => {
    const pool = createPoolOfThree();
    const select = () => [pool.select('codes', undefined, NOW).url, pool.select('rest', undefined, NOW).url];
    expect([select(), select()]).to.deep.equal([
      [URLS[0], URLS[0]],
      [URLS[1], URLS[1]],
    ]);
  });
});
