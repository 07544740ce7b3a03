import { expect } from 'chai';
import { createUpstreamPool } from './upstream-pool.ts';

const URLS = ['http://127.0.0.1:1001', 'http://[::1]:1002', 'http://auth:1003'];
const NOW = 1_000_000;

const createPoolOfThree = () => {
  const pool = createUpstreamPool('auth-service', URLS);
  return {
    ...pool,
    selectUrls: (count: number, now = NOW) =>
      Array.from({ length: count }, () => pool.select(undefined, now).url),
  };
};

describe('upstream pool', () => {
  it('selects instances by round robin', () => {
    expect(createPoolOfThree().selectUrls(4)).to.deep.equal([...URLS, URLS[0]]);
  });

  it('skips an ejected instance for a second', () => {
    const pool = createPoolOfThree();
    const failed = pool.select(undefined, NOW);
    expect(pool.eject(failed, NOW)).to.equal(true);
    expect(pool.eject(failed, NOW + 1)).to.equal(false);
    expect(pool.selectUrls(4)).to.have.members([URLS[1], URLS[2], URLS[1], URLS[2]]);
    expect(pool.selectUrls(3, NOW + 2_000)).to.have.members(URLS);
  });

  it('avoids the instance of the failed attempt unless it is the only one', () => {
    const pool = createPoolOfThree();
    const failed = pool.select(undefined, NOW);
    for (let count = 0; count < 4; count++) expect(pool.select(failed, NOW)).not.to.equal(failed);
    const single = createUpstreamPool('admin-service', URLS.slice(0, 1));
    expect(single.select(single.select()).url).to.equal(URLS[0]);
  });

  it('selects ejected instances when all are ejected', () => {
    const pool = createPoolOfThree();
    for (let count = 0; count < 3; count++) pool.eject(pool.select(undefined, NOW), NOW);
    expect(pool.selectUrls(3)).to.have.members(URLS);
  });

  it('has proxy targets without the brackets of an IPv6 address', () => {
    const pool = createPoolOfThree();
    pool.select(undefined, NOW);
    expect(pool.select(undefined, NOW).target).to.deep.equal({
      protocol: 'http:',
      hostname: '::1',
      port: '1002',
    });
  });
});
