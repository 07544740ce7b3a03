import { parseBody, parseStatus, sendRaw } from '@platform/shared/testing/raw-http';
import { expect } from 'chai';
import request from 'supertest';
import { type StandIn, startStandIn } from './fake-upstream.ts';
import { type Gateway, startGateway } from './gateway-under-test.ts';

describe('Routing', () => {
  let auth: StandIn;
  let admin: StandIn;
  let gateway: Gateway;

  before(async () => {
    [auth, admin] = await Promise.all([startStandIn(), startStandIn()]);
    gateway = await startGateway({ auth: [auth.url], admin: [admin.url] });
  });
  after(() => Promise.all([gateway.stop(), auth.stop(), admin.stop()]));
  beforeEach(() => {
    auth.received.length = 0;
    admin.received.length = 0;
  });

  it('When a customer signs in, then auth-service gets the request as it was sent', async () => {
    const answer = await request(gateway.url)
      .post('/api/v1/customers/auth/sign-in?a=1&a=2&b=%2F..%2f')
      .send({ email: 'a@b.c' });
    expect(answer.status).to.equal(200);
    expect(answer.body).to.include({
      method: 'POST',
      url: '/api/v1/customers/auth/sign-in?a=1&a=2&b=%2F..%2f',
      body: '{"email":"a@b.c"}',
    });
    expect(auth.received).to.have.length(1);
    expect(admin.received).to.have.length(0);
  });

  it('When an administrator lists users, then admin-service gets the request', async () => {
    const answer = await request(gateway.url).get('/api/v1/users?search=x+y');
    expect(answer.body.url).to.equal('/api/v1/users?search=x+y');
    expect(admin.received).to.have.length(1);
    expect(auth.received).to.have.length(0);
  });

  it('When a path belongs to no service, then the gateway answers 404 in the one error body', async () => {
    for (const path of ['/', '/api/v2/users', '/metrics', '/favicon.ico', '/healthz/x']) {
      const answer = await request(gateway.url).get(path);
      expect(answer.status, path).to.equal(404);
      expect(answer.body).to.include({ statusCode: 404, error: 'Not Found', code: 'ROUTE_NOT_FOUND' });
      expect(answer.body.requestId).to.equal(answer.headers['x-request-id']);
    }
    expect(auth.received.length + admin.received.length).to.equal(0);
  });

  it('When a path can be read in two ways, then no service sees it and the answer is 400', async () => {
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
      const answer = await sendRaw(
        gateway.url,
        `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      expect(parseStatus(answer), target).to.equal(400);
      expect(parseBody(answer), target).to.include({ code: 'VALIDATION_FAILED' });
      expect(answer, target).to.match(/^X-Request-Id: /im);
    }
    expect(auth.received.length + admin.received.length).to.equal(0);
  });

  it('When the method is another one that HTTP knows well, then the service judges it', async () => {
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

  it('Requests are counted by service, never by path', async () => {
    await request(gateway.url).get('/api/v1/users/7d8a6f2e-2a8c-4d55-b3c6-6f8f6f4c8f11');
    await request(gateway.url).get('/nowhere/else');
    const metrics = await gateway.metrics();
    expect(metrics).to.contain('method="GET",route="admin-service",status="200"');
    expect(metrics).to.contain('method="GET",route="other",status="404"');
    expect(metrics).not.to.contain('7d8a6f2e');
  });
});

describe('Health', () => {
  it('When both services answer, then the public port says that it is ready', async () => {
    const [auth, admin] = await Promise.all([startStandIn(), startStandIn()]);
    const gateway = await startGateway({ auth: [auth.url], admin: [admin.url] });
    await request(gateway.url).get('/healthz').expect(200, { status: 'ok' });
    const ready = await request(gateway.url).get('/readyz').expect(200, { status: 'ready' });
    expect(ready.headers['cache-control']).to.equal('no-store');
    await request(gateway.url).post('/readyz').expect(405).expect('Allow', 'GET');
    await Promise.all([gateway.stop(), auth.stop(), admin.stop()]);
  });

  it('When one of two instances is gone the gateway is ready; when a service is gone it names it', async () => {
    const [auth, one, two] = await Promise.all([startStandIn(), startStandIn(), startStandIn()]);
    await one.stop();
    const half = await startGateway({ auth: [auth.url], admin: [one.url, two.url] });
    await request(half.url).get('/readyz').expect(200);
    await two.stop();
    const none = await startGateway({ auth: [auth.url], admin: [one.url, two.url] });
    await request(none.url)
      .get('/readyz')
      .expect(503, { status: 'unavailable', failing: ['admin-service'] });
    await request(none.url).get('/healthz').expect(200);
    await Promise.all([half.stop(), none.stop(), auth.stop()]);
  });

  it('When a service accepts connections but never answers, then the gateway is not ready', async () => {
    const [auth, admin] = await Promise.all([startStandIn(() => undefined), startStandIn()]);
    const gateway = await startGateway({ auth: [auth.url], admin: [admin.url] });
    await request(gateway.url)
      .get('/readyz')
      .expect(503, { status: 'unavailable', failing: ['auth-service'] });
    await Promise.all([gateway.stop(), auth.stop(), admin.stop()]);
  });
});
