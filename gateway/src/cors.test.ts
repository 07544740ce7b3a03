import { expect } from 'chai';
import request from 'supertest';
import { useTestServers } from '../testing/start-gateway.ts';

const CORS_HEADER = /^access-control-/;

const corsHeaders = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => CORS_HEADER.test(name)));

const APP = 'https://app.example.com';
const EXPOSED = {
  'access-control-allow-origin': APP,
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': 'X-Request-Id,Retry-After,RateLimit,RateLimit-Policy,ETag',
};

describe('CORS', () => {
  const { startUpstream, startGatewayTo } = useTestServers();
  const startProduction = async () => {
    const service = await startUpstream();
    return { service, url: (await startGatewayTo([service.url], { allowedOrigins: [APP] })).url };
  };

  const preflight = (url: string, origin: string) =>
    request(url).options('/api/v1/customers/auth/sign-in').set({
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'x-fingerprint',
    });

  it('responds to the preflight of an allowed origin without calling the service', async () => {
    const { service, url } = await startProduction();
    const response = await preflight(url, APP);
    expect(response.status).to.equal(204);
    expect(response.headers).not.to.have.property('content-length');
    expect(corsHeaders(response.headers)).to.deep.equal({
      ...EXPOSED,
      'access-control-allow-methods': 'GET,POST,PATCH,DELETE',
      'access-control-allow-headers':
        'Authorization,Content-Type,X-Fingerprint,X-Session-Id,X-Request-Id,If-Match,X-Bot-Check,X-Time-Zone,Traceparent,Tracestate',
      'access-control-max-age': '600',
    });
    expect(response.headers.vary).to.equal('Origin');
    expect(service.received).to.have.length(0);
  });

  it('sets CORS headers on responses to an allowed origin, including errors', async () => {
    const { url } = await startProduction();
    for (const path of ['/api/v1/users', '/nowhere']) {
      const { headers } = await request(url).get(path).set('Origin', APP);
      expect(corsHeaders(headers)).to.deep.equal(EXPOSED);
    }
  });

  it('sets Vary: Origin but no CORS headers for a disallowed or null origin', async () => {
    const { url } = await startProduction();
    const disallowed = [
      'null',
      'https://evil.example',
      'https://app.example.com.evil.example',
      'http://app.example.com',
    ];
    for (const origin of disallowed)
      for (const response of [
        await preflight(url, origin),
        await request(url).get('/api/v1/users').set('Origin', origin),
      ]) {
        expect(corsHeaders(response.headers), origin).to.deep.equal({});
        expect(response.headers.vary).to.equal('Origin');
      }
  });

  it('allows only loopback origins, on any port, in development', async () => {
    const development = await startGatewayTo([(await startUpstream()).url]);
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
    const { service, url } = await startProduction();
    await request(url).options('/api/v1/users').set('Origin', APP).expect(200);
    await request(url).options('/api/v1/users').expect(200);
    expect(service.received.map(({ method }) => method)).to.deep.equal(['OPTIONS', 'OPTIONS']);
  });
});
