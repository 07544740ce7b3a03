import { readFile } from 'node:fs/promises';
import { parseStatus, sendRaw } from '@platform/shared/testing/raw-http';
import { expect } from 'chai';
import request, { type Response } from 'supertest';
import { loadOperations, type Operation } from '../../test/openapi-operations.ts';
import { createLimitFinder, type OperationLimit } from '../src/edge/operation-limits.ts';
import { getUnreachableUrl } from './fake-upstream.ts';
import type { Gateway } from './start-gateway.ts';
import { expectRateLimited, parseRateLimit, range, SIGN_IN, useGateways } from './use-gateways.ts';

const ORIGIN = 'http://localhost:5173';
const PASSWORDS = ['password', 'newPassword', 'currentPassword'];

const getResults = ({ responses }: Operation) => {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  return success?.content?.['application/json']?.schema.properties ?? {};
};

/** The operations that hash a password or return a token, that send or check a code, and the contact forms. */
const COUNTED: Record<OperationLimit, (operation: Operation) => boolean> = {
  'sign-in': (operation) =>
    PASSWORDS.some((name) => operation.body?.schema.properties?.[name]) || 'token' in getResults(operation),
  codes: (operation) =>
    operation.body?.schema.properties?.['code'] !== undefined || 'resendIn' in getResults(operation),
  contact: ({ template }) => template.startsWith('/api/v1/contact/'),
};

describe('rate limits', () => {
  const { start, get, getStatuses, service } = useGateways();

  describe('with the default scale', () => {
    const limits: [string, number, string][] = [
      ['requests', 600, '/api/v1/users'],
      ['sign-in requests', 60, SIGN_IN],
      ['code requests', 30, '/api/v1/employees/auth/verification/email/code'],
      ['contact form requests', 20, '/api/v1/contact/lead'],
    ];
    for (const [requests, points, path] of limits)
      it(`returns 429 after ${points} ${requests} per minute without calling the service`, async () => {
        const gateway = await start({ rateLimitScale: 1 });
        service().received.length = 0;
        const statuses: number[] = [];
        // Concurrent requests, so that a counter that is not atomic would miss some.
        await Promise.all(
          range(10).map(async (worker) => {
            for (const _ of range(points / 10))
              statuses.push((await get(gateway, path, { W: `${worker}` })).status);
          }),
        );
        expect(new Set(statuses)).to.deep.equal(new Set([200]));
        const rateLimited = await get(gateway, path);
        expectRateLimited(rateLimited);
        expect(rateLimited.headers['ratelimit-policy']).to.match(new RegExp(`^"[\\w-]+";q=${points};w=60$`));
        expect(service().received).to.have.length(points);
      });
  });

  it('reports the remaining requests and the seconds until the reset', async () => {
    const gateway = await start();
    for (const remaining of [59, 58, 57]) {
      const response = await get(gateway, '/api/v1/users');
      expect(response.headers['ratelimit-policy']).to.equal('"all";q=60;w=60');
      expect(parseRateLimit(response)).to.deep.include({ name: 'all', remaining });
      expect(parseRateLimit(response).seconds).to.be.within(1, 60);
    }
  });

  it('serves routes with another limit while one is exceeded', async () => {
    const gateway = await start();
    expect(await getStatuses(gateway, '/api/v1/contact/lead', 3)).to.deep.equal([200, 200, 429]);
    for (const path of [SIGN_IN, '/api/v1/auth/admin/verification/email/code', '/api/v1/users'])
      expect((await get(gateway, path)).status, path).to.equal(200);
  });

  it('counts the sign-ins of the three kinds together', async () => {
    const gateway = await start();
    for (const kind of ['customers/auth', 'employees/auth', 'auth/admin'])
      expect(await getStatuses(gateway, `/api/v1/${kind}/sign-in?a=/b`, 2)).to.deep.equal([200, 200]);
    expectRateLimited(await get(gateway, SIGN_IN));
  });

  for (const [limit, isCounted] of Object.entries(COUNTED))
    it(`counts every operation that needs it in the limit ${limit}`, async () => {
      const operations = (await loadOperations()).filter(isCounted);
      expect(operations).not.to.be.empty;
      const document = await readFile(
        new URL(import.meta.resolve('@platform/openapi/platform.json')),
        'utf8',
      );
      const findLimits = createLimitFinder(JSON.parse(document));
      for (const { name, method, template } of operations)
        expect(findLimits(method, template), name).to.include(limit);
    });

  it('limits every documented operation', async () => {
    const gateway = await start({ rateLimitScale: 1 / 600 });
    await get(gateway, SIGN_IN);
    for (const { method, template } of await loadOperations()) {
      const path = template.replace(/\{\w+\}/g, '0f8cbb56-9d34-4bd9-9d25-1c41a5b3a6a9');
      expectRateLimited(await request(gateway.url)[method.toLowerCase() as 'post'](path));
    }
  });

  it('counts a route that hashes a password and checks a code in both limits', async () => {
    const gateway = await start();
    const both = '/api/v1/customers/auth/email/change';
    expect(await getStatuses(gateway, both, 4)).to.deep.equal([200, 200, 200, 429]);
    expect(await getStatuses(gateway, SIGN_IN, 3)).to.deep.equal([200, 200, 429]);
  });

  it('returns 429 on every path but the health routes once the overall limit is exceeded', async () => {
    const gateway = await start({ rateLimitScale: 0.005 });
    expect(await getStatuses(gateway, '/api/v1/users', 4)).to.deep.equal([200, 200, 200, 429]);
    for (const path of ['/api/v1/users', '/nowhere', '/healthz?x', '/readyz/', SIGN_IN]) {
      const response = await get(gateway, path);
      expectRateLimited(response);
      expect(parseRateLimit(response).name, path).to.equal('all');
    }
  });

  it('neither counts nor limits the health routes', async () => {
    const gateway = await start({ rateLimitScale: 0.005 });
    for (const path of ['/healthz', '/readyz', '/healthz', '/readyz'])
      expect(parseRateLimit(await get(gateway, path))).to.include({ name: 'all', remaining: 3 });
    expect(await getStatuses(gateway, '/api/v1/users', 4)).to.deep.equal([200, 200, 200, 429]);
    for (const path of ['/healthz', '/readyz']) expect((await get(gateway, path)).status).to.equal(200);
  });

  it('sets CORS headers on the 429 and still responds to preflights', async () => {
    const gateway = await start();
    expect(await getStatuses(gateway, '/api/v1/contact/lead', 2)).to.deep.equal([200, 200]);
    const rateLimited = await get(gateway, '/api/v1/contact/lead', { Origin: ORIGIN });
    expectRateLimited(rateLimited);
    expect(rateLimited.headers).to.include({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-credentials': 'true',
    });
    expect(rateLimited.headers['access-control-expose-headers']?.split(',')).to.include.members([
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
    ]);
    const preflight = await request(gateway.url)
      .options('/api/v1/contact/lead')
      .set({ Origin: ORIGIN, 'Access-Control-Request-Method': 'POST' });
    expect(preflight.status).to.equal(204);
  });

  it('sets RateLimit and RateLimit-Policy on every response, including errors and preflights', async () => {
    const unreachable = await getUnreachableUrl();
    const gateway = await start({ rateLimitScale: 10, admin: [unreachable] });
    const { url } = gateway;
    const responses: [string, number, Response][] = [
      ['service response', 200, await request(url).get('/api/v1/auth/me')],
      ['health check', 200, await request(url).get('/healthz')],
      ['readiness check', 200, await request(url).get('/readyz')],
      ['unknown route', 404, await request(url).get('/nowhere')],
      ['ambiguous path', 400, await request(url).get('/api/v1/auth/..%2fme')],
      ['health check by POST', 405, await request(url).post('/healthz')],
      ['body over the limit', 413, await request(url).post('/api/v1/auth/me').send('x'.repeat(102_401))],
      ['unavailable service', 502, await request(url).get('/api/v1/users')],
      ['HEAD request', 200, await request(url).head('/api/v1/auth/me')],
      [
        'preflight',
        204,
        await request(url).options(SIGN_IN).set({ Origin: ORIGIN, 'Access-Control-Request-Method': 'POST' }),
      ],
      [
        'preflight of a disallowed origin',
        204,
        await request(url)
          .options(SIGN_IN)
          .set({ Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' }),
      ],
    ];
    for (const [name, status, response] of responses) {
      expect(response.status, name).to.equal(status);
      expect(response.headers['ratelimit'], name).to.match(/^"[\w-]+";r=\d+;t=\d+$/);
      expect(response.headers['ratelimit-policy'], name).to.match(/^"[\w-]+";q=\d+;w=60$/);
    }
    const tooManyHeaders = await sendRaw(
      url,
      `GET /api/v1/auth/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${'a:\r\n'.repeat(101)}\r\n`,
    );
    expect(parseStatus(tooManyHeaders)).to.equal(431);
    expect(tooManyHeaders).to.match(/^RateLimit: "all"/im);
  });

  describe('by client network', () => {
    it('ignores the forwarding headers that a client sends', async () => {
      const gateway = await start();
      for (const index of range(6))
        expect((await get(gateway, SIGN_IN, { 'X-Forwarded-For': `203.0.113.${index}` })).status).to.equal(
          200,
        );
      for (const headers of [
        { 'X-Forwarded-For': '203.0.113.77' },
        { 'X-Forwarded-For': '203.0.113.77, 198.51.100.1, 192.0.2.1' },
        { Forwarded: 'for=203.0.113.77' },
        { 'X-Real-IP': '203.0.113.77' },
        { 'True-Client-IP': '203.0.113.77', 'CF-Connecting-IP': '203.0.113.77' },
      ])
        expectRateLimited(await get(gateway, SIGN_IN, headers as Record<string, string>));
    });

    const fromAddress = (gateway: Gateway, address: string) =>
      get(gateway, SIGN_IN, { 'X-Forwarded-For': address });

    it('counts the IPv6 addresses of one /64 together', async () => {
      const gateway = await start({ trustedProxyHops: 1 });
      for (const index of range(6))
        expect((await fromAddress(gateway, `2001:db8:0:7::${(index * 4_099).toString(16)}`)).status).to.equal(
          200,
        );
      for (const address of [
        '2001:db8:0:7:ffff:ffff:ffff:ffff',
        '2001:0DB8:0000:0007::1',
        '2001:db8::7:1:2:3:4',
      ])
        expectRateLimited(await fromAddress(gateway, address));
      for (const address of ['2001:db8:0:8::1', '2001:db8:1:7::1', '::1'])
        expect((await fromAddress(gateway, address)).status, address).to.equal(200);
    });

    const networks: [string, number, string][] = [
      ['requests', 1 / 600, '/api/v1/users'],
      ['sign-ins', 1 / 60, SIGN_IN],
    ];
    for (const [requests, rateLimitScale, path] of networks)
      it(`limits the ${requests} of an IPv6 /48 to eight times those of a /64`, async () => {
        const gateway = await start({ trustedProxyHops: 1, rateLimitScale });
        const send = (address: string) => get(gateway, path, { 'X-Forwarded-For': address });
        // The requests that the limit of the first /64 rejects do not count for its neighbours.
        for (const index of range(20))
          expect((await send('2001:db8:1:1::1')).status).to.equal(index === 0 ? 200 : 429);
        for (const index of range(7)) expect((await send(`2001:db8:1:${index + 2}::1`)).status).to.equal(200);
        const rejected = await send('2001:db8:1:ff::1');
        expectRateLimited(rejected);
        expect(rejected.headers['ratelimit-policy']).to.include(';q=8;');
        expect((await send('2001:db8:2:ff::1')).status).to.equal(200);
      });
  });
});
