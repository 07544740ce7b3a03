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
    expect(pool.eject(failed, NOW)).to.equal(1_000);
    expect(pool.eject(failed, NOW + 1)).to.equal(0);
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

  it('selects the instance with the fewest requests in flight', () => {
    const pool = createPoolOfThree();
    const [first, second, third] = [1, 2, 3].map(() => pool.select(undefined, NOW));
    Object.assign(first ?? {}, { requestsInFlight: 2 });
    Object.assign(second ?? {}, { requestsInFlight: 1 });
    Object.assign(third ?? {}, { requestsInFlight: 1 });
    expect(pool.selectUrls(4)).to.deep.equal([URLS[1], URLS[2], URLS[1], URLS[2]]);
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

describe('ejection of a failing upstream instance', () => {
  const createPoolOfTwo = () => {
    const pool = createUpstreamPool('auth-service', ['http://127.0.0.1:1001', 'http://127.0.0.1:1002']);
    const [failing, other] = [pool.select(), pool.select()];
    const fail = (times: number, now = NOW) =>
      Array.from({ length: times }, () => pool.recordFailure(failing, now));
    return { pool, failing, other, fail };
  };

  it('follows three failures in succession while another instance succeeds', () => {
    const { pool, failing, other, fail } = createPoolOfTwo();
    pool.recordSuccess(other, NOW);
    expect(fail(2)).to.deep.equal([0, 0]);
    pool.recordSuccess(failing, NOW);
    expect(fail(4)).to.deep.equal([0, 0, 1_000, 0]);
    expect(pool.select(undefined, NOW + 999)).to.equal(other);
  });

  it('does not follow failures that all instances share, and never leaves none', () => {
    const { pool, other, fail } = createPoolOfTwo();
    pool.recordSuccess(other, NOW - 1);
    expect(fail(9)).to.deep.equal(Array(9).fill(0));
    pool.recordSuccess(other, NOW);
    pool.eject(other, NOW);
    expect(fail(1), 'the other instance is ejected').to.deep.equal([0]);
    expect(fail(1, NOW + 1_001)).to.deep.equal([1_000]);
  });

  it('does not make it the substitute of one that has refused a connection', () => {
    const { pool, other, fail } = createPoolOfTwo();
    pool.recordSuccess(other, NOW);
    fail(3);
    pool.eject(other, NOW);
    expect([pool.select(undefined, NOW), pool.select(undefined, NOW)]).to.deep.equal([other, other]);
  });

  it('doubles from 1 s to 30 s with each failure after it, until a success', () => {
    const { pool, failing, other, fail } = createPoolOfTwo();
    const durations = Array.from({ length: 8 }, (_, round) => {
      const now = NOW + round * 30_000;
      pool.recordSuccess(other, now);
      return fail(round === 0 ? 3 : 1, now).at(-1);
    });
    expect(durations).to.deep.equal([1, 2, 4, 8, 16, 30, 30, 30].map((seconds) => seconds * 1_000));
    pool.recordSuccess(failing, NOW + 300_000);
    pool.recordSuccess(other, NOW + 300_000);
    expect(fail(3, NOW + 300_000)).to.deep.equal([0, 0, 1_000]);
  });

  it('ends with one request at a time until one succeeds', () => {
    const { pool, failing, other, fail } = createPoolOfTwo();
    pool.recordSuccess(other, NOW);
    fail(3);
    const later = NOW + 1_000;
    other.requestsInFlight = 5;
    expect(pool.select(undefined, later)).to.equal(failing);
    failing.requestsInFlight = 1;
    expect(pool.select(undefined, later)).to.equal(other);
    pool.recordSuccess(failing, later);
    expect(pool.select(undefined, later)).to.equal(failing);
  });
});
