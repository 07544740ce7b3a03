import { parseBody, parseStatus, sendRaw } from '@platform/shared/testing/raw-http';
import { expect } from 'chai';
import request from 'supertest';
import { type FakeUpstream, startFakeUpstream } from '../fake-upstream.ts';
import { type Gateway, startGateway } from '../start-gateway.ts';

describe('routing', () => {
  let auth: FakeUpstream;
  let admin: FakeUpstream;
  let gateway: Gateway;

  before(async () => {
    [auth, admin] = await Promise.all([startFakeUpstream(), startFakeUpstream()]);
    gateway = await startGateway({ auth: [auth.url], admin: [admin.url] });
  });
  after(() => Promise.all([gateway.stop(), auth.stop(), admin.stop()]));
  beforeEach(() => {
    auth.received.length = 0;
    admin.received.length = 0;
  });

  it('forwards a customer sign-in unchanged to auth-service', async () => {
    const response = await request(gateway.url)
      .post('/api/v1/customers/auth/sign-in?a=1&a=2&b=%2F..%2f')
      .send({ email: 'a@b.c' });
    expect(response.status).to.equal(200);
    expect(response.body).to.include({
      method: 'POST',
      url: '/api/v1/customers/auth/sign-in?a=1&a=2&b=%2F..%2f',
      body: '{"email":"a@b.c"}',
    });
    expect(auth.received).to.have.length(1);
    expect(admin.received).to.have.length(0);
  });

  it('forwards a list of users to admin-service', async () => {
    const response = await request(gateway.url).get('/api/v1/users?search=x+y');
    expect(response.body.url).to.equal('/api/v1/users?search=x+y');
    expect(admin.received).to.have.length(1);
    expect(auth.received).to.have.length(0);
  });

  it('serves the joined OpenAPI document itself', async () => {
    const { status, headers, body } = await request(gateway.url).get('/openapi.json?v=1');
    expect([status, headers['content-type']]).to.deep.equal([200, 'application/json; charset=utf-8']);
    expect(body.paths).to.include.keys('/customers/auth/sign-in', '/users');
    const rejected = await request(gateway.url).post('/openapi.json');
    expect([rejected.status, rejected.headers['allow']]).to.deep.equal([405, 'GET']);
    expect(rejected.body.code).to.equal('METHOD_NOT_ALLOWED');
    expect(auth.received.length + admin.received.length).to.equal(0);
  });

  it('returns 404 for a path of no service', async () => {
    for (const path of ['/', '/openapi.json/', '/api/v2/users', '/metrics', '/favicon.ico', '/healthz/x']) {
      const response = await request(gateway.url).get(path);
      expect(response.status, path).to.equal(404);
      expect(response.body).to.include({ statusCode: 404, error: 'Not Found', code: 'ROUTE_NOT_FOUND' });
      expect(response.body.requestId).to.equal(response.headers['x-request-id']);
    }
    expect(auth.received.length + admin.received.length).to.equal(0);
  });

  it('returns 400 for an ambiguous path without forwarding the request', async () => {
    const targets = [
      '/api/v1/customers/auth/../../users',
      '/api/v1/customers/auth/%2e%2e/%2E%2e/users',
      '/api/v1/customers/auth/..%2f..%2fusers',
      '/api/v1/customers\\auth\\sign-in',
      '//api/v1/users',
      '/api/v1//users',
      '/api/v1/users#x',
      'http://evil.example/api/v1/users',
      'http://evil.example/api/v1/customers/auth/../users',
      'http://[/',
      'http://a:99999/api/v1',
    ];
    for (const target of targets) {
      const response = await sendRaw(
        gateway.url,
        `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      expect(parseStatus(response), target).to.equal(400);
      expect(parseBody(response), target).to.include({ code: 'VALIDATION_FAILED' });
      expect(response, target).to.match(/^X-Request-Id: /im);
    }
    expect(auth.received.length + admin.received.length).to.equal(0);
  });

  it('forwards every HTTP method', async () => {
    for (const method of ['PUT', 'HEAD', 'OPTIONS', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND'] as const)
      await request(gateway.url)[method.toLowerCase() as 'put']('/api/v1/users').expect(200);
    expect(admin.received.map(({ method }) => method)).to.deep.equal([
      'PUT',
      'HEAD',
      'OPTIONS',
      'DELETE',
      'PATCH',
      'TRACE',
      'PROPFIND',
    ]);
  });

  it('labels request metrics by service, not by path', async () => {
    await request(gateway.url).get('/api/v1/users/7d8a6f2e-2a8c-4d55-b3c6-6f8f6f4c8f11');
    await request(gateway.url).get('/nowhere/else');
    const metrics = await gateway.metrics();
    expect(metrics).to.contain('method="GET",route="admin-service",status="200"');
    expect(metrics).to.contain('method="GET",route="other",status="404"');
    expect(metrics).not.to.contain('7d8a6f2e');
  });
});

describe('health routes', () => {
  it('returns 200 on the public port when both services respond', async () => {
    const [auth, admin] = await Promise.all([startFakeUpstream(), startFakeUpstream()]);
    const gateway = await startGateway({ auth: [auth.url], admin: [admin.url] });
    // A frontend on another origin uses it to tell a refused origin from an unreachable gateway.
    const healthy = await request(gateway.url).get('/healthz').expect(200, { status: 'ok' });
    expect(healthy.headers['cross-origin-resource-policy']).to.equal('cross-origin');
    const ready = await request(gateway.url).get('/readyz').expect(200, { status: 'ready' });
    expect(ready.headers['cache-control']).to.equal('no-store');
    expect(ready.headers['cross-origin-resource-policy']).to.equal('same-origin');
    await request(gateway.url).post('/readyz').expect(405).expect('Allow', 'GET');
    await Promise.all([gateway.stop(), auth.stop(), admin.stop()]);
  });

  it('stays ready with one instance or one service left, and names a service without instances', async () => {
    const [auth, one, two] = await Promise.all([
      startFakeUpstream(),
      startFakeUpstream(),
      startFakeUpstream(),
    ]);
    await one.stop();
    const partial = await startGateway({ auth: [auth.url], admin: [one.url, two.url] });
    await request(partial.url).get('/readyz').expect(200);
    await two.stop();
    const degraded = await startGateway({ auth: [auth.url], admin: [one.url, two.url] });
    await request(degraded.url)
      .get('/readyz')
      .expect(200, { status: 'ready', degraded: ['admin-service'] });
    await Promise.all([partial.stop(), degraded.stop(), auth.stop()]);
  });

  it('returns 503 when one service is down and the other accepts connections but never responds', async () => {
    const [auth, admin] = await Promise.all([startFakeUpstream(() => undefined), startFakeUpstream()]);
    await admin.stop();
    const gateway = await startGateway({ auth: [auth.url], admin: [admin.url] });
    const degraded = ['auth-service', 'admin-service'];
    await request(gateway.url)
      .get('/readyz')
      .expect(503, { status: 'unavailable', failing: ['upstreams'], degraded });
    await request(gateway.url).get('/healthz').expect(200);
    await Promise.all([gateway.stop(), auth.stop()]);
  });
});
