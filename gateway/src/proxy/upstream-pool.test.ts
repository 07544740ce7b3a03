import { expect } from 'chai';
import { createUpstreamPool } from './upstream-pool.ts';

const URLS = ['http://127.0.0.1:1001', 'http://[::1]:1002', 'http://auth:1003'];
const NOW = 1_000;

const createPoolOfThree = () => {
  const pool = createUpstreamPool('auth-service', URLS);
  return {
    ...pool,
    /** Selects an instance for this many requests, one after another. Returns their URLs. */
    selectUrls: (count: number, now = NOW) =>
      Array.from({ length: count }, () => {
        const instance = pool.select(undefined, now);
        pool.release(instance, now);
        return instance.url;
      }),
    eject: () => {
      const [instance] = pool.instances;
      if (!instance) throw new Error('The pool has no instance');
      for (let count = 0; count < 5; count += 1) pool.record(instance, { isFailure: true, sentAt: NOW }, NOW);
      return instance;
    },
  };
};

describe('upstream pool', () => {
  it('selects instances by round robin', () => {
    expect(createPoolOfThree().selectUrls(4)).to.deep.equal([...URLS, URLS[0]]);
  });

  it('selects the instance with the fewest requests in flight, in turn when several have them', () => {
    const pool = createPoolOfThree();
    const [first, second] = [1, 2, 3, 4].map(() => pool.select(undefined, NOW));
    expect(pool.selectUrls(3)).to.deep.equal([URLS[1], URLS[2], URLS[1]]);
    if (first) pool.release(first, NOW);
    if (second) pool.release(second, NOW);
    expect(pool.selectUrls(2)).to.deep.equal([URLS[1], URLS[1]]);
  });

  it('skips an ejected instance, then sends one request at a time to it', () => {
    const pool = createPoolOfThree();
    const ejected = pool.eject();
    expect(pool.countBest(NOW)).to.equal(2);
    expect(pool.selectUrls(4)).to.have.members([URLS[1], URLS[2], URLS[1], URLS[2]]);
    const selected = Array.from({ length: 5 }, () => pool.select(undefined, NOW + 1_000));
    expect(selected.filter((instance) => instance === ejected)).to.have.length(1);
    pool.release(ejected, NOW + 1_000);
    expect(pool.selectUrls(1, NOW + 1_000)).to.deep.equal([ejected.url]);
  });

  it('selects an instance other than the failed one unless it is the only one', () => {
    const pool = createPoolOfThree();
    const failed = pool.select(undefined, NOW);
    for (let count = 0; count < 4; count++) expect(pool.select(failed, NOW)).not.to.equal(failed);
    const single = createUpstreamPool('admin-service', URLS.slice(0, 1));
    expect(single.select(single.select()).url).to.equal(URLS[0]);
  });

  it('selects an ejected instance rather than the failed one', () => {
    const pool = createPoolOfThree();
    const ejected = pool.eject();
    const [, failed] = pool.instances;
    pool.replaceUrls(URLS.slice(0, 2));
    expect(pool.select(failed, NOW)).to.equal(ejected);
  });

  for (const [hasReadiness, selected] of [
    [true, [URLS[0], URLS[0], URLS[0]]],
    [false, [URLS[0], URLS[1], URLS[2]]],
  ] as const)
    it(`${hasReadiness ? 'waits for the readiness of a new instance' : 'selects a new instance at once if it reports no readiness'}`, () => {
      const pool = createUpstreamPool('auth-service', URLS.slice(0, 1), { hasReadiness });
      pool.replaceUrls(URLS);
      expect(URLS.map(() => pool.select(undefined, NOW).url)).to.deep.equal(selected);
    });

  it('selects a new instance when there is no other', () => {
    const pool = createUpstreamPool('auth-service', URLS.slice(0, 1), { hasReadiness: true });
    pool.replaceUrls(URLS.slice(1));
    expect(pool.select(undefined, NOW).url).to.equal(URLS[1]);
  });

  it('has proxy targets without the brackets of an IPv6 address', () => {
    const [, { target } = { target: undefined }] = createPoolOfThree().instances;
    expect(target).to.deep.equal({ protocol: 'http:', hostname: '::1', port: '1002' });
  });
});
