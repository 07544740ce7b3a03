import { expect } from 'chai';
import request from 'supertest';
import { type StandIn, startStandIn } from './fake-upstream.ts';
import { type Gateway, startGateway } from './gateway-under-test.ts';

const CORS_HEADER = /^access-control-/;

const corsHeaders = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => CORS_HEADER.test(name)));

describe('CORS', () => {
  let service: StandIn;
  let development: Gateway;
  let production: Gateway;

  before(async () => {
    service = await startStandIn();
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

  it('When an allowed origin asks first, then the gateway answers without troubling the service', async () => {
    const answer = await preflight(production.url, 'https://app.example.com');
    expect(answer.status).to.equal(204);
    expect(answer.headers).not.to.have.property('content-length');
    expect(corsHeaders(answer.headers)).to.deep.equal({
      'access-control-allow-origin': 'https://app.example.com',
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET,POST,PATCH,DELETE',
      'access-control-allow-headers':
        'Authorization,Content-Type,X-Fingerprint,X-Session-Id,X-Request-Id,Traceparent,Tracestate',
      'access-control-expose-headers': 'X-Request-Id,Retry-After,RateLimit,RateLimit-Policy',
      'access-control-max-age': '600',
    });
    expect(answer.headers.vary).to.equal('Origin');
    expect(service.received).to.have.length(0);
  });

  it('When an allowed origin sends a request, then the answer is readable there, errors too', async () => {
    for (const path of ['/api/v1/users', '/nowhere']) {
      const answer = await request(production.url).get(path).set('Origin', 'https://app.example.com');
      expect(corsHeaders(answer.headers)).to.deep.equal({
        'access-control-allow-origin': 'https://app.example.com',
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': 'X-Request-Id,Retry-After,RateLimit,RateLimit-Policy',
      });
    }
  });

  it('When a foreign or null origin asks, then no CORS header comes back, but caches keep it apart', async () => {
    const foreign = [
      'null',
      'https://evil.example',
      'https://app.example.com.evil.example',
      'http://app.example.com',
    ];
    for (const origin of foreign)
      for (const answer of [
        await preflight(production.url, origin),
        await request(production.url).get('/api/v1/users').set('Origin', origin),
      ]) {
        expect(corsHeaders(answer.headers), origin).to.deep.equal({});
        expect(answer.headers.vary).to.equal('Origin');
      }
  });

  it('In development any port of this machine is allowed, and nothing else', async () => {
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
    ])
      expect(await allowed(origin), origin).to.equal(undefined);
  });

  it('When OPTIONS is no preflight, then the service judges it', async () => {
    await request(production.url)
      .options('/api/v1/users')
      .set('Origin', 'https://app.example.com')
      .expect(200);
    await request(production.url).options('/api/v1/users').expect(200);
    expect(service.received.map(({ method }) => method)).to.deep.equal(['OPTIONS', 'OPTIONS']);
  });
});
