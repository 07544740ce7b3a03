import { parseBody, parseStatus, sendRaw } from '@platform/shared/testing/raw-http';
import { expect } from 'chai';
import request from 'supertest';
import { type FakeUpstream, getUnreachableUrl, startFakeUpstream } from '../../testing/fake-upstream.ts';
import { type Gateway, startGateway, useTestServers } from '../../testing/start-gateway.ts';

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

  it('forwards requests unchanged to the service of their path', async () => {
    const target = '/api/v1/customers/auth/sign-in?a=1&a=2&b=%2F..%2f';
    const { body } = await request(gateway.url).post(target).send({ email: 'a@b.c' }).expect(200);
    expect(body).to.include({ method: 'POST', url: target, body: '{"email":"a@b.c"}' });
    await request(gateway.url).get('/api/v1/users').expect(200);
    expect([auth, admin].map(({ received }) => received.map(({ url }) => url))).to.deep.equal([
      [target],
      ['/api/v1/users'],
    ]);
  });

  it('serves the joined OpenAPI document itself', async () => {
    const { status, headers, body } = await request(gateway.url).get('/openapi.json?v=1');
    expect([status, headers['content-type']]).to.deep.equal([200, 'application/json; charset=utf-8']);
    expect(body.paths).to.include.keys('/customers/auth/sign-in', '/users');
    expect(headers['cache-control']).to.equal('public, max-age=3600');
    await request(gateway.url)
      .get('/openapi.json')
      .set('If-None-Match', headers['etag'] ?? '')
      .expect(304);
    const rejected = await request(gateway.url).post('/openapi.json');
    expect([rejected.status, rejected.headers['allow']]).to.deep.equal([405, 'GET']);
    expect(rejected.body.code).to.equal('METHOD_NOT_ALLOWED');
    expect(auth.received.length + admin.received.length).to.equal(0);
  });

  it('returns 404 for a path of no service', async () => {
    for (const path of ['/', '/openapi.json/', '/metrics']) {
      const response = await request(gateway.url).get(path);
      expect(response.status, path).to.equal(404);
      expect(response.body).to.include({ statusCode: 404, error: 'Not Found', code: 'ROUTE_NOT_FOUND' });
      expect(response.body.requestId).to.equal(response.headers['x-request-id']);
    }
    expect(auth.received.length + admin.received.length).to.equal(0);
  });

  it('serves a target in absolute form as its path, and its authority as the host', async () => {
    for (const [target, path] of [
      ['http://gateway.example:8080/api/v1/users?page=2', '/api/v1/users?page=2'],
      ['HTTPS://gateway.example:8080/api/v1', '/api/v1'],
    ] as const) {
      const head = 'HTTP/1.1\r\nHost: other.example\r\nConnection: close';
      const response = await sendRaw(gateway.url, `GET ${target} ${head}\r\n\r\n`);
      expect(parseStatus(response), target).to.equal(200);
      const { url, headers } = admin.received.splice(0)[0] ?? {};
      expect(url).to.equal(path);
      expect(headers).to.include({ 'x-forwarded-host': 'gateway.example:8080' });
    }
    for (const target of [
      'http://gateway.example',
      'http://gateway.example?a=/',
      'http://gateway.example/x',
    ]) {
      const response = await sendRaw(gateway.url, `GET ${target} HTTP/1.0\r\n\r\n`);
      expect(parseStatus(response), target).to.equal(404);
    }
    const withoutHost = await sendRaw(
      gateway.url,
      'GET http://gateway.example/healthz HTTP/1.1\r\nConnection: close\r\n\r\n',
    );
    expect(parseStatus(withoutHost)).to.equal(400);
  });

  it('returns 400 for an ambiguous path without forwarding the request', async () => {
    const targets = [
      '/api/v1/customers/auth/../../users',
      'http://gateway.example/api/v1/customers/auth/../../users',
      'http://user@gateway.example/api/v1/users',
      'http:///api/v1/users',
      'ftp://gateway.example/api/v1/users',
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
    const methods = ['PUT', 'HEAD', 'OPTIONS', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND'];
    for (const method of methods)
      await request(gateway.url)[method.toLowerCase() as 'put']('/api/v1/users').expect(200);
    expect(admin.received.map(({ method }) => method)).to.deep.equal(methods);
  });
});

describe('health routes', () => {
  const { startUpstream, startGatewayTo } = useTestServers();

  it('returns 200 on the public port when both services respond', async () => {
    const { url } = await startGatewayTo([(await startUpstream()).url]);
    // With it, a frontend on another origin can distinguish a rejected origin from an unreachable gateway.
    const healthy = await request(url).get('/healthz').expect(200, { status: 'ok' });
    expect(healthy.headers['cross-origin-resource-policy']).to.equal('cross-origin');
    const ready = await request(url).get('/readyz').expect(200, { status: 'ready' });
    expect(ready.headers['cache-control']).to.equal('no-store');
    expect(ready.headers['cross-origin-resource-policy']).to.equal('same-origin');
    for (const path of ['/healthz', '/readyz']) {
      const { text, headers } = await request(url).head(path).expect(200);
      expect([text, headers['content-type']]).to.deep.equal([undefined, 'application/json; charset=utf-8']);
    }
    await request(url).post('/readyz').expect(405).expect('Allow', 'GET, HEAD');
  });

  it('stays ready with one instance or one service left, and names a service without instances', async () => {
    const auth = [(await startUpstream()).url];
    const gone = await getUnreachableUrl();
    const partial = await startGatewayTo([gone, (await startUpstream()).url], { auth });
    await request(partial.url).get('/readyz').expect(200, { status: 'ready' });
    const degraded = await startGatewayTo([gone], { auth });
    await request(degraded.url)
      .get('/readyz')
      .expect(200, { status: 'ready', degraded: ['admin-service'] });
  });

  it('returns 503 when one service is down and the other accepts connections but never responds', async () => {
    const auth = [(await startUpstream(() => undefined)).url];
    const { url } = await startGatewayTo([await getUnreachableUrl()], { auth });
    const degraded = ['auth-service', 'admin-service'];
    await request(url)
      .get('/readyz')
      .expect(503, { status: 'unavailable', failing: ['upstreams'], degraded });
    await request(url).get('/healthz').expect(200);
  });
});
