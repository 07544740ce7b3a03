import { ConfigError } from '@platform/shared/config/env';
import { createHttpClient, type HttpRequest } from '@platform/shared/testing/http-client';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useTestServers } from '../../testing/start-gateway.ts';
import { readConfig } from '../config.ts';

const DEVELOPMENT = {
  NODE_ENV: 'development',
  AUTH_SERVICE_URLS: 'http://127.0.0.1:3001',
  ADMIN_SERVICE_URLS: 'http://127.0.0.1:3002',
};

describe('blocked paths', () => {
  const { startUpstream, startGatewayTo } = useTestServers();
  const start = async (...blockedPaths: string[]) => {
    const upstream = await startUpstream();
    const gateway = await startGatewayTo([upstream.url], { blockedPaths });
    return { ...gateway, upstream };
  };

  it('return 503 with Retry-After and are not forwarded, everything else is', async () => {
    const { url, upstream } = await start('/api/v1/contact', '/api/v1/customers/auth/sign-in/');
    for (const path of [
      ...['/api/v1/contact', '/api/v1/contact/lead', '/api/v1/contact?a=1', '/api/v1/Contact/lead'],
      ...['/api/v1/c%6Fntact/support', '/api/v1/customers/auth/sign-in', '/api/v1/contact/'],
    ]) {
      const response = await send(url, 'POST', path, { body: {} });
      expectError(response, 503, 'SERVICE_UNAVAILABLE');
      expect(response.headers, path).to.include({ 'retry-after': '300' });
    }
    expect(upstream.received).to.have.length(0);
    for (const path of ['/api/v1/contacts', '/api/v1/users', '/api/v1/customers/auth/me'])
      expect((await send(url, 'GET', path)).status, path).to.equal(200);
  });

  it('can be the whole platform, apart from health checks', async () => {
    const { url } = await start('/');
    for (const path of ['/', '/api/v1', '/openapi.json'])
      expectError(await send(url, 'GET', path), 503, 'SERVICE_UNAVAILABLE');
    expect((await send(url, 'GET', '/healthz')).status).to.equal(200);
  });

  it('let browsers read the error', async () => {
    const { url } = await start('/api/v1/contact');
    const headers = { Origin: 'http://localhost:5173' };
    const { status, headers: received } = await send(url, 'POST', '/api/v1/contact/lead', {
      headers,
      body: {},
    });
    expect({ status, ...received }).to.include({
      status: 503,
      'access-control-allow-origin': 'http://localhost:5173',
    });
  });
});

describe('blocked paths that do not exist', () => {
  const { startUpstream, startGatewayTo } = useTestServers();
  const services = [{ name: 'shop', prefixes: ['/api/v1/orders'], urls: ['http://127.0.0.1:1'] }];
  const start = async (...blockedPaths: string[]) =>
    await startGatewayTo([(await startUpstream()).url], { blockedPaths, services });

  for (const path of ['/contact', '/api/v1/contact/leads', '/api/v1/internal', '/api/v1/user', '/orders'])
    it(`are rejected at the start: ${path}`, async () => {
      const error: unknown = await start('/console', path).catch((reason: unknown) => reason);
      expect(error)
        .to.be.instanceOf(ConfigError)
        .with.property('message')
        .that.includes(`BLOCKED_PATHS has ${path}, where the gateway serves nothing`);
    });

  it('are no paths of operations, pages, documentation and services, in any spelling', async () => {
    await start(
      ...['/', '/api', '/api/', '/api/v1', '/API/v1/Contact/', '/api/v1/users/7b', '/api/v1/users/7b/block'],
      ...['/console', '/account/customer', '/.well-known/change-password', '/openapi.json', '/api/v1/docs'],
      ...['/api/openapi.json', '/api/v1/orders', '/api/v1/orders/7/lines'],
    );
  });
});

describe('blocked networks', () => {
  const { startUpstream, startGatewayTo } = useTestServers();

  it('get 429 with Retry-After, and nothing else has changed for others', async () => {
    const upstream = await startUpstream();
    const blockedNetworks = ['192.0.2.0/24', '198.51.100.7', '2001:db8::/32'];
    const { url, metrics } = await startGatewayTo([upstream.url], { blockedNetworks, trustedProxyHops: 1 });
    const client = createHttpClient(url);
    const sendFrom = (address: string, path = '/api/v1/users') => {
      const request: HttpRequest = { path, headers: { 'X-Forwarded-For': address } };
      return client.sendOrThrow(request);
    };
    const blocked = ['192.0.2.1', '192.0.2.255', '198.51.100.7', '2001:db8:1::9', '::ffff:192.0.2.1'];
    for (const address of blocked) {
      const response = await sendFrom(address);
      expectError(response, 429, 'RATE_LIMITED');
      expect(response.headers, address)
        .to.include({ 'retry-after': '300' })
        .and.to.have.property('ratelimit');
    }
    expect(upstream.received).to.have.length(0);
    for (const address of ['192.0.3.1', '198.51.100.8', '2001:db9::1'])
      expect((await sendFrom(address)).status, address).to.equal(200);
    expect((await sendFrom('192.0.2.1', '/healthz')).status).to.equal(200);
    expect(await metrics()).to.match(/^rate_limit_rejections_total\{.*limit="blocked".*\} 5$/m);
  });
});

describe('the settings of blocked paths and networks', () => {
  it('are lists', () => {
    const settings = {
      BLOCKED_PATHS: '/api/v1/contact, /console',
      BLOCKED_NETWORKS: '192.0.2.1,2001:db8::/32',
    };
    const { blockedPaths, blockedNetworks } = readConfig({ ...DEVELOPMENT, ...settings });
    expect({ blockedPaths, blockedNetworks }).to.deep.equal({
      blockedPaths: ['/api/v1/contact', '/console'],
      blockedNetworks: ['192.0.2.1', '2001:db8::/32'],
    });
  });

  for (const [name, value] of [
    ['BLOCKED_PATHS', 'contact'],
    ['BLOCKED_PATHS', '/api//v1'],
    ['BLOCKED_NETWORKS', '192.0.2.0/33'],
    ['BLOCKED_NETWORKS', '192.0.2'],
    ['BLOCKED_NETWORKS', 'example.com'],
    ['BLOCKED_NETWORKS', '192.0.2.0/'],
    ['BLOCKED_NETWORKS', '192.0.2.0/8/8'],
  ] as const)
    it(`reject ${name}=${value}`, () => {
      expect(() => readConfig({ ...DEVELOPMENT, [name]: value })).to.throw(`${name} must be a list`);
    });
});
