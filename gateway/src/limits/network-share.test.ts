import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ClientNetworks } from '@platform/shared/network/client-address';
import { expect } from 'chai';
import { MAX_UPSTREAM_CONNECTIONS as connections } from '../proxy/upstream-pool.ts';
import { createNetworkShares, createShareFinder } from './network-share.ts';

const SHARE_BYTES = 8 * 1_024 * 1_024;
const range = (count: number) => Array.from({ length: count }, (_, index) => index);

describe("a network's share of the gateway", () => {
  let now: number;
  let limited: string[];
  let shares: ReturnType<typeof createNetworkShares>;
  beforeEach(() => {
    [now, limited] = [0, []];
    shares = createNetworkShares({
      metrics: { countRateLimited: ({ limit }) => limited.push(limit) },
      connections,
      getTime: () => now,
    });
  });

  describe('of requests in flight', () => {
    const hold = (...networks: ClientNetworks) =>
      shares.holdRequest({ networks, isSignIn: false, instances: 1 });
    const signIn = (network: string) =>
      shares.holdRequest({ networks: [network], isSignIn: true, instances: 2 });

    it('is a quarter of the connections to an instance', () => {
      const [release] = range(64).map(() => hold('192.0.2.1'));
      expect(() => hold('192.0.2.1'))
        .to.throw('Too many requests at the same time')
        .with.property('status', 429);
      expect(limited).to.deep.equal(['requests']);
      hold('192.0.2.2');
      release?.();
      hold('192.0.2.1');
    });

    it('is separate for the platform and for each other service', () => {
      const findShares = createShareFinder({ metrics: { countRateLimited: () => undefined }, connections });
      const found = [true, false, false].map((isPlatform) => findShares({ isPlatform }));
      for (const { holdRequest } of found) {
        const hold = () => holdRequest({ networks: ['192.0.2.1'], isSignIn: false, instances: 1 });
        for (const _ of range(64)) hold();
        expect(hold).to.throw('Too many requests at the same time');
      }
    });

    it('is eight times as large for an IPv6 /48', () => {
      for (const network of range(8))
        for (const _ of range(64)) hold(`2001:db8:1:${network}::/64`, '2001:db8:1::/48');
      expect(() => hold('2001:db8:1:8::/64', '2001:db8:1::/48')).to.throw(
        'Too many requests at the same time',
      );
      hold('2001:db8:2:8::/64', '2001:db8:2::/48');
    });

    it('leaves half of the connections to each instance to other requests than sign-ins', () => {
      const [release] = range(256).map((index) => signIn(`192.0.2.${index}`));
      expect(() => signIn('198.51.100.1'))
        .to.throw('Too many concurrent sign-ins')
        .with.property('status', 503);
      hold('198.51.100.1');
      release?.();
      signIn('198.51.100.1');
    });

    it('leaves half of the sign-ins in flight to networks without one', () => {
      const releases = range(128).map((index) => signIn(`192.0.2.${index % 4}`));
      for (const network of ['192.0.2.0', '192.0.2.3'])
        expect(() => signIn(network))
          .to.throw('Too many concurrent sign-ins')
          .with.property('status', 503);
      signIn('198.51.100.1');
      expect(() => signIn('198.51.100.1')).to.throw('Too many concurrent sign-ins');
      hold('192.0.2.0');
      for (const release of releases.slice(0, 2)) release();
      signIn('192.0.2.0');
    });
  });

  describe('of request bodies', () => {
    let aborted: string[];
    beforeEach(() => {
      aborted = [];
    });
    const open = (...networks: ClientNetworks) =>
      shares.openBody(networks, ({ status, headers }) => {
        aborted.push(`${networks[0]}: ${status} ${headers['Connection']}`);
      });

    it('is an eighth of the memory', () => {
      const [one, other] = [open('192.0.2.1'), open('192.0.2.1')];
      expect(one.reserve(SHARE_BYTES)).to.equal(undefined);
      expect(other.reserve(1)).to.include({ status: 429, code: 'RATE_LIMITED' });
      expect(open('192.0.2.2').reserve(SHARE_BYTES)).to.equal(undefined);
      one.release();
      one.release();
      expect(other.reserve(SHARE_BYTES)).to.equal(undefined);
      expect(aborted).to.deep.equal([]);
    });

    for (const [title, first, second, ended] of [
      ['the slowest body ends first, not the oldest', SHARE_BYTES, SHARE_BYTES / 2, '192.0.2.2: 503 close'],
      [
        'the older of two with equal bytes is the slower one',
        SHARE_BYTES,
        SHARE_BYTES,
        '192.0.2.1: 503 close',
      ],
    ] as const)
      it(`with all memory used up, ${title}`, () => {
        open('192.0.2.1').reserve(first);
        now = 10;
        open('192.0.2.2').reserve(second);
        now = 20;
        for (const index of range(6)) open(`198.51.100.${index}`).reserve(SHARE_BYTES);
        open('198.51.100.6').reserve(2 * SHARE_BYTES - first - second);
        now = 1_015;
        const newest = open('192.0.2.3');
        expect(newest.reserve(1)).to.equal(undefined);
        expect(aborted).to.deep.equal([ended]);
      });

    it('returns 503 to a body if all others are complete or have just begun', () => {
      const bodies = range(8).map((index) => open(`192.0.2.${index}`));
      for (const { reserve } of bodies) reserve(SHARE_BYTES);
      for (const { endTransfer } of bodies.slice(1)) endTransfer();
      const error = open('192.0.2.8').reserve(1);
      expect(error).to.include({ status: 503, code: 'SERVICE_UNAVAILABLE' });
      expect(error?.headers).to.include({ 'Retry-After': '1' });
      expect(aborted).to.deep.equal([]);
    });

    it('returns 503 to the slowest body itself, and drops no complete one', () => {
      const [own, small] = [open('192.0.2.8'), open('192.0.2.9')];
      for (const index of range(7)) open(`192.0.2.${index}`).reserve(SHARE_BYTES);
      own.reserve(SHARE_BYTES - 1);
      small.reserve(1);
      small.endTransfer();
      now = 1_000;
      expect(own.reserve(1)).to.include({ status: 503 });
      expect(aborted).to.deep.equal([]);
    });

    it('is of half the memory at all other services together, and of all at the platform', () => {
      const findShares = createShareFinder({ metrics: { countRateLimited: () => undefined }, connections });
      const [platform, shop, other] = [true, false, false].map((isPlatform) => findShares({ isPlatform }));
      const reserve = (found = platform, index = 0) =>
        found?.openBody([`192.0.2.${index}`], () => undefined).reserve(SHARE_BYTES)?.status;
      expect(range(4).map((index) => reserve(shop, index))).to.deep.equal(Array(4).fill(undefined));
      expect(reserve(other, 4)).to.equal(503);
      expect(range(8).map((index) => reserve(platform, index))).to.deep.equal(Array(8).fill(undefined));
      expect(reserve(platform, 8)).to.equal(503);
    });

    it('is not that of an IPv6 /48, which may use all memory', () => {
      const openIn = (network: number) => open(`2001:db8:1:${network}::/64`, '2001:db8:1::/48');
      for (const network of range(8)) openIn(network).reserve(SHARE_BYTES);
      now = 1_000;
      expect(openIn(8).reserve(1)).to.equal(undefined);
      expect(aborted).to.have.lengthOf(1);
    });

    it('has room for another slow body when one has arrived', () => {
      const bodies = range(50).map(() => open('192.0.2.1'));
      for (const { markSlow } of bodies) expect(markSlow()).to.equal(undefined);
      expect(open('192.0.2.1').markSlow()).to.include({ status: 429 });
      bodies[0]?.endTransfer();
      expect(open('192.0.2.1').markSlow()).to.equal(undefined);
    });

    it('has 50 slow bodies, and eight times as many for an IPv6 /48', () => {
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

  describe('of unread responses', () => {
    /** A response of which the client has not read the given number of bytes. */
    const createResponse = () => {
      const socket = {
        isDestroyed: false,
        pause: () => socket,
        resume: () => socket,
        setTimeout: () => socket,
        destroy: () => {
          socket.isDestroyed = true;
        },
      };
      const response = Object.assign(new EventEmitter(), { req: { socket }, socket, writableLength: 0 });
      return { socket, response: response as unknown as ServerResponse & { writableLength: number } };
    };
    const hold = (network: string, bytes: number) => {
      const created = createResponse();
      created.response.writableLength = bytes;
      shares.holdUnread(created.response, [network]);
      return created;
    };

    it('is an eighth of the memory, beyond which the longest-stalled response is dropped', () => {
      const [first, second] = [hold('192.0.2.1', SHARE_BYTES - 1), hold('192.0.2.1', 1)];
      expect(first.socket.isDestroyed).to.equal(false);
      const [third, other] = [hold('192.0.2.1', 1), hold('192.0.2.2', SHARE_BYTES)];
      expect([first, second, third, other].map(({ socket }) => socket.isDestroyed)).to.deep.equal([
        true,
        false,
        false,
        false,
      ]);
      expect(limited).to.deep.equal(['responses']);
    });

    it('is free again when the client has read the response, or when it is replaced', () => {
      const first = hold('192.0.2.1', SHARE_BYTES);
      first.response.emit('drain');
      const second = hold('192.0.2.1', SHARE_BYTES);
      second.response.emit('close');
      hold('192.0.2.1', SHARE_BYTES);
      expect(limited).to.deep.equal([]);
    });

    it('does not count a connection that has ended, because nothing would release it', () => {
      const { socket, response } = createResponse();
      Object.assign(socket, { destroyed: true });
      response.writableLength = SHARE_BYTES;
      shares.holdUnread(response, ['192.0.2.1']);
      hold('192.0.2.1', SHARE_BYTES);
      expect(limited).to.deep.equal([]);
    });

    it('drops the longest-stalled response of all networks beyond the total memory', () => {
      const held = range(9).map((index) => hold(`192.0.2.${index}`, SHARE_BYTES));
      expect(held.map(({ socket }) => socket.isDestroyed)).to.deep.equal([
        true,
        ...range(8).map(() => false),
      ]);
    });
  });
});
