import type { ClientNetworks } from '@platform/shared/http/client-address';
import { expect } from 'chai';
import { createBodyQuotas } from './body-quota.ts';

const NETWORK_BYTES = 8 * 1_024 * 1_024;
const range = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('body quotas', () => {
  const openBodies = () => {
    const openQuota = createBodyQuotas();
    const aborted: string[] = [];
    const open = (...networks: ClientNetworks) =>
      openQuota(networks, ({ status, headers }) =>
        aborted.push(`${networks[0]}: ${status} ${headers['Connection']}`),
      );
    return { open, aborted };
  };
  /** The memory of all, used up by eight client networks. */
  const fillMemory = () => {
    const { open, aborted } = openBodies();
    const bodies = range(8).map((index) => open(`192.0.2.${index}`));
    for (const { reserve } of bodies) expect(reserve(NETWORK_BYTES)).to.equal(undefined);
    return { open, aborted, bodies };
  };

  it('allow a client network an eighth of the memory', () => {
    const { open, aborted } = openBodies();
    const [one, other] = [open('192.0.2.1'), open('192.0.2.1')];
    expect(one.reserve(NETWORK_BYTES)).to.equal(undefined);
    expect(other.reserve(1)).to.include({ status: 429, code: 'RATE_LIMITED' });
    expect(open('192.0.2.2').reserve(NETWORK_BYTES)).to.equal(undefined);
    one.release();
    one.release();
    expect(other.reserve(NETWORK_BYTES)).to.equal(undefined);
    expect(aborted).to.deep.equal([]);
  });

  it('end the oldest incomplete bodies when the memory is used up', () => {
    const { open, aborted, bodies } = fillMemory();
    bodies[1]?.endTransfer();
    const newer = open('192.0.2.8');
    expect(newer.reserve(1)).to.equal(undefined);
    expect(newer.reserve(NETWORK_BYTES - 1)).to.equal(undefined);
    expect(aborted).to.deep.equal(['192.0.2.0: 503 close']);
    expect(open('192.0.2.9').reserve(1)).to.equal(undefined);
    expect(aborted).to.deep.equal(['192.0.2.0: 503 close', '192.0.2.2: 503 close']);
  });

  it('return 503 to a body when all others are complete', () => {
    const { open, aborted, bodies } = fillMemory();
    for (const { endTransfer } of bodies) endTransfer();
    const error = open('192.0.2.8').reserve(1);
    expect(error).to.include({ status: 503, code: 'SERVICE_UNAVAILABLE' });
    expect(error?.headers).to.include({ 'Retry-After': '1' });
    expect(aborted).to.deep.equal([]);
  });

  it('return 503 to a body when all others are newer', () => {
    const { open, aborted } = openBodies();
    const oldest = open('192.0.2.8');
    oldest.reserve(1);
    for (const index of range(7)) open(`192.0.2.${index}`).reserve(NETWORK_BYTES);
    open('192.0.2.7').reserve(NETWORK_BYTES - 1);
    expect(oldest.reserve(1)).to.include({ status: 503 });
    expect(aborted).to.deep.equal([]);
  });

  it('allow 50 slow bodies to a client network, and eight times as many to an IPv6 /48', () => {
    const { open } = openBodies();
    const markSlow = (network: string) => open(network, '2001:db8:1::/48').markSlow()?.status;
    for (const network of range(8)) {
      const statuses = range(51).map(() => markSlow(`2001:db8:1:${network}::/64`));
      expect(new Set(statuses.slice(0, 50))).to.deep.equal(new Set([undefined]));
      expect(statuses[50]).to.equal(429);
    }
    expect(markSlow('2001:db8:1:8::/64')).to.equal(429);
    expect(open('2001:db8:2:8::/64', '2001:db8:2::/48').markSlow()).to.equal(undefined);
  });
});
