import { expect } from 'chai';
import request from 'supertest';
import { type FakeUpstream, startFakeUpstream } from '../fake-upstream.ts';
import { type Gateway, startGateway } from '../start-gateway.ts';

const CORS_HEADER = /^access-control-/;

const corsHeaders = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => CORS_HEADER.test(name)));

describe('CORS', () => {
  let service: FakeUpstream;
  let development: Gateway;
  let production: Gateway;

  before(async () => {
    service = await startFakeUpstream();
    const upstreams = { auth: [service.url], admin: [service.url] };
    development = await startGateway(upstreams);
    production = await startGateway({ ...upstreams, allowedOrigins: ['https://app.example.com'] });
  });
  after(() => Promise.all([development.stop(), production.stop(), service.stop()]));
  beforeEach(() => {
    service.received.length = 0;
  });

  const preflight = (url: string, origin: string) =>
    request(url).options('/api/v1/customers/auth/sign-in').set({
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'x-fingerprint',
    });

  it('responds to the preflight of an allowed origin without calling the service', async () => {
    const response = await preflight(production.url, 'https://app.example.com');
    expect(response.status).to.equal(204);
    expect(response.headers).not.to.have.property('content-length');
    expect(corsHeaders(response.headers)).to.deep.equal({
      'access-control-allow-origin': 'https://app.example.com',
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET,POST,PATCH,DELETE',
      'access-control-allow-headers':
        'Authorization,Content-Type,X-Fingerprint,X-Session-Id,X-Request-Id,Traceparent,Tracestate',
      'access-control-expose-headers': 'X-Request-Id,Retry-After,RateLimit,RateLimit-Policy',
      'access-control-max-age': '600',
    });
    expect(response.headers.vary).to.equal('Origin');
    expect(service.received).to.have.length(0);
  });

  it('sets CORS headers on responses to an allowed origin, including errors', async () => {
    for (const path of ['/api/v1/users', '/nowhere']) {
      const response = await request(production.url).get(path).set('Origin', 'https://app.example.com');
      expect(corsHeaders(response.headers)).to.deep.equal({
        'access-control-allow-origin': 'https://app.example.com',
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': 'X-Request-Id,Retry-After,RateLimit,RateLimit-Policy',
      });
    }
  });

  it('sets Vary: Origin but no CORS headers for a disallowed or null origin', async () => {
    const disallowed = [
      'null',
      'https://evil.example',
      'https://app.example.com.evil.example',
      'http://app.example.com',
    ];
    for (const origin of disallowed)
      for (const response of [
        await preflight(production.url, origin),
        await request(production.url).get('/api/v1/users').set('Origin', origin),
      ]) {
        expect(corsHeaders(response.headers), origin).to.deep.equal({});
        expect(response.headers.vary).to.equal('Origin');
      }
  });

  it('allows only loopback origins, on any port, in development', async () => {
    const allowed = async (origin: string) =>
      (await preflight(development.url, origin)).headers['access-control-allow-origin'];
    for (const origin of [
      'http://localhost:5173',
      'https://localhost',
      'http://127.0.0.1:1',
      'http://[::1]:8080',
    ])
      expect(await allowed(origin)).to.equal(origin);
    for (const origin of [
      'null',
      'http://localhost.evil.example',
      'http://evil.example:3000',
      'http://localhost:1.evil.example',
      'http://127.0.0.1.evil.example',
      'http://evil.example#localhost',
      'http://localhost@evil.example',
      'http://localhost:5173, https://evil.example',
      'http://xlocalhost',
      'http://localhost:123456',
      'chrome-extension://localhost',
      'file://',
      '*',
    ])
      expect(await allowed(origin), origin).to.equal(undefined);
  });

  it('forwards an OPTIONS request that is not a preflight', async () => {
    await request(production.url)
      .options('/api/v1/users')
      .set('Origin', 'https://app.example.com')
      .expect(200);
    await request(production.url).options('/api/v1/users').expect(200);
    expect(service.received.map(({ method }) => method)).to.deep.equal(['OPTIONS', 'OPTIONS']);
  });
});
