import { loadOperations, loadPlatform, type Operation } from '@platform/shared/testing/openapi-operations';
import { expect } from 'chai';
import request, { type Response } from 'supertest';
import { getUnreachableUrl } from '../../testing/fake-upstream.ts';
import {
  expectRateLimited,
  parseRateLimit,
  range,
  SIGN_IN,
  useGateways,
} from '../../testing/use-gateways.ts';
import { createOperationFinder } from './operation-limits.ts';
import type { OperationLimit } from './requests-per-minute.ts';

const PASSWORDS = ['password', 'newPassword', 'currentPassword'];

const getResults = ({ responses }: Operation) => {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  return success?.content?.['application/json']?.schema.properties ?? {};
};

const isRefresh = ({ template }: Operation): boolean => template.endsWith('/refresh/token');

/**
 * The operations that each limit counts: those that hash a password or start a session, refreshes, those that
 * send or check a code, and the contact forms.
 */
const COUNTED: Record<OperationLimit, (operation: Operation) => boolean> = {
  'sign-in': (operation) =>
    PASSWORDS.some((name) => operation.body?.schema.properties?.[name]) ||
    ('token' in getResults(operation) && !isRefresh(operation)),
  refresh: isRefresh,
  codes: (operation) =>
    operation.body?.schema.properties?.['code'] !== undefined || 'resendIn' in getResults(operation),
  contact: ({ template }) => template.startsWith('/api/v1/contact/'),
};

const REFRESH = '/api/v1/customers/auth/refresh/token';

describe('rate limits', () => {
  const { start, get, getStatuses, startUpstream } = useGateways();

  const limits: [name: string, points: number, path: string][] = [
    ['all', 600, '/api/v1/users'],
    ['sign-in', 60, SIGN_IN],
    ['refresh', 120, REFRESH],
    ['codes', 30, '/api/v1/employees/auth/verification/email/code'],
    ['contact', 20, '/api/v1/contact/lead'],
    ['documentation', 60, '/api/swagger-ui-bundle.js'],
  ];
  for (const [name, points, path] of limits)
    it(`allow ${points} requests per minute in the limit ${name}`, async () => {
      const gateway = await start({ rateLimitScale: 1 });
      for (const remaining of [points - 1, points - 2]) {
        const response = await get(gateway, path);
        expect(response.headers['ratelimit-policy']).to.equal(`"${name}";q=${points};w=60`);
        expect(parseRateLimit(response)).to.include({ name, remaining });
        expect(parseRateLimit(response).seconds).to.be.within(1, 60);
      }
    });

  it('returns 429 over a limit without calling the service', async () => {
    const service = await startUpstream();
    const gateway = await start({ admin: [service.url] });
    expect(await getStatuses(gateway, '/api/v1/contact/lead', 3)).to.deep.equal([200, 200, 429]);
    expectRateLimited(await get(gateway, '/api/v1/contact/lead'));
    expect(service.received).to.have.length(2);
  });

  it('counts the sign-ins of the three kinds together', async () => {
    const gateway = await start();
    for (const kind of ['customers/auth', 'employees/auth', 'auth/admin'])
      expect(await getStatuses(gateway, `/api/v1/${kind}/sign-in?a=/b`, 2)).to.deep.equal([200, 200]);
    expectRateLimited(await get(gateway, SIGN_IN));
  });

  it('counts refreshes apart from sign-ins, so that neither stops the other', async () => {
    const gateway = await start();
    expect(new Set(await getStatuses(gateway, REFRESH, 12))).to.deep.equal(new Set([200]));
    expectRateLimited(await get(gateway, REFRESH));
    expect(new Set(await getStatuses(gateway, SIGN_IN, 6))).to.deep.equal(new Set([200]));
    expectRateLimited(await get(gateway, SIGN_IN));
  });

  it('counts the pages of the documentation and their files together', async () => {
    const gateway = await start();
    const pages = [
      '/openapi.json',
      '/api',
      '/api/',
      '/api/openapi.json',
      '/api/v1/docs/',
      '/api/v1/docs/x.js',
    ];
    for (const path of pages) expect((await get(gateway, path)).status, path).to.equal(200);
    for (const path of pages) {
      const rejected = await get(gateway, path);
      expectRateLimited(rejected);
      expect(parseRateLimit(rejected).name, path).to.equal('documentation');
    }
    for (const path of ['/api/v1', '/api/v1/users', '/api/v1/docsx'])
      expect(parseRateLimit(await get(gateway, path)).name, path).to.equal('all');
    expect(await gateway.metrics()).to.match(/rate_limit_rejections_total\{.*limit="documentation".*\} 6/);
  });

  for (const [limit, isCounted] of Object.entries(COUNTED))
    it(`counts each operation that needs it in the limit ${limit}`, async () => {
      const operations = (await loadOperations()).filter(isCounted);
      expect(operations).not.to.be.empty;
      const find = createOperationFinder(await loadPlatform());
      for (const { name, method, template } of operations)
        expect(find(method, template).limits, name).to.include(limit);
    });

  it('limits every documented operation', async () => {
    const gateway = await start({ rateLimitScale: 1 / 600 });
    await get(gateway, SIGN_IN);
    for (const { method, template } of await loadOperations()) {
      const path = template.replace(/\{\w+\}/g, '0f8cbb56-9d34-4bd9-9d25-1c41a5b3a6a9');
      expectRateLimited(await request(gateway.url)[method.toLowerCase() as 'post'](path));
    }
  });

  it('counts a route that hashes a password and checks a code in both limits separately', async () => {
    const gateway = await start();
    const both = '/api/v1/customers/auth/reset-password/email/code';
    expect(await getStatuses(gateway, both, 4)).to.deep.equal([200, 200, 200, 429]);
    expect(await getStatuses(gateway, SIGN_IN, 3)).to.deep.equal([200, 200, 429]);
  });

  it('returns 429 on every path over the overall limit, but never on health routes', async () => {
    const gateway = await start({ rateLimitScale: 0.005 });
    for (const path of ['/healthz', '/readyz'])
      expect(parseRateLimit(await get(gateway, path))).to.include({ name: 'all', remaining: 3 });
    expect(await getStatuses(gateway, '/api/v1/users', 4)).to.deep.equal([200, 200, 200, 429]);
    for (const path of ['/api/v1/users', '/nowhere', '/healthz?x', '/readyz/', SIGN_IN]) {
      const response = await get(gateway, path);
      expectRateLimited(response);
      expect(parseRateLimit(response).name, path).to.equal('all');
    }
    for (const path of ['/healthz', '/readyz']) expect((await get(gateway, path)).status).to.equal(200);
  });

  it('sets CORS headers on the 429', async () => {
    const gateway = await start();
    expect(await getStatuses(gateway, '/api/v1/contact/lead', 2)).to.deep.equal([200, 200]);
    const Origin = 'http://localhost:5173';
    const rateLimited = await get(gateway, '/api/v1/contact/lead', { Origin });
    expectRateLimited(rateLimited);
    expect(rateLimited.headers).to.include({ 'access-control-allow-origin': Origin });
  });

  it('sets RateLimit and RateLimit-Policy on every response, including errors and preflights', async () => {
    const unreachable = await getUnreachableUrl();
    const gateway = await start({ rateLimitScale: 10, admin: [unreachable] });
    const { url } = gateway;
    const preflight = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' };
    const responses: [number, Response][] = [
      [200, await request(url).head('/api/v1/auth/me')],
      [404, await request(url).get('/nowhere')],
      [400, await request(url).get('/api/v1/auth/..%2fme')],
      [405, await request(url).post('/healthz')],
      [413, await request(url).post('/api/v1/auth/me').send('x'.repeat(102_401))],
      [502, await request(url).get('/api/v1/users')],
      [204, await request(url).options(SIGN_IN).set(preflight)],
    ];
    for (const [status, response] of responses) {
      expect(response.status).to.equal(status);
      expect(response.headers['ratelimit'], `${status}`).to.match(/^"[\w-]+";r=\d+;t=\d+$/);
      expect(response.headers['ratelimit-policy'], `${status}`).to.match(/^"[\w-]+";q=\d+;w=60$/);
    }
  });

  it('counts a preflight only in the overall limit, and never rejects it', async () => {
    const gateway = await start({ rateLimitScale: 1 / 60 });
    const preflight = (path: string) =>
      request(gateway.url)
        .options(path)
        .set({ Origin: 'http://localhost:5173', 'Access-Control-Request-Method': 'POST' });
    for (const [index, path] of [SIGN_IN, SIGN_IN, '/api/openapi.json', '/api/openapi.json'].entries()) {
      const response = await preflight(path);
      expect(response.status).to.equal(204);
      expect(parseRateLimit(response), path).to.include({ name: 'all', remaining: 9 - index });
    }
    for (const path of [SIGN_IN, '/api/openapi.json'])
      expect(await getStatuses(gateway, path, 2), path).to.deep.equal([200, 429]);
    for (const _ of range(5)) expect((await preflight(SIGN_IN)).status).to.equal(204);
    expect(parseRateLimit(await preflight(SIGN_IN))).to.include({ name: 'all', remaining: 0 });
  });

  const networks: [string, number, string][] = [
    ['requests', 1 / 600, '/api/v1/users'],
    ['sign-ins', 1 / 60, SIGN_IN],
  ];
  for (const [requests, rateLimitScale, path] of networks)
    it(`limits the ${requests} of an IPv6 /48 to eight times those of a /64`, async () => {
      const gateway = await start({ trustedProxyHops: 1, rateLimitScale });
      const send = (address: string) => get(gateway, path, { 'X-Forwarded-For': address });
      // Requests that the limit of the first /64 rejects do not count against the /48.
      for (const index of range(20))
        expect((await send('2001:db8:1:1::1')).status).to.equal(index === 0 ? 200 : 429);
      for (const index of range(7)) expect((await send(`2001:db8:1:${index + 2}::1`)).status).to.equal(200);
      const rejected = await send('2001:db8:1:ff::1');
      expectRateLimited(rejected);
      expect(rejected.headers['ratelimit-policy']).to.include(';q=8;');
      expect((await send('2001:db8:2:ff::1')).status).to.equal(200);
    });
});
