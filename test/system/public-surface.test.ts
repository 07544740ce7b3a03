import { createHttpClient } from '@platform/shared/testing/http-client';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { usePlatform } from './use-platform.ts';

describe('public surface of the gateway', () => {
  const platform = usePlatform();
  const get = (path: string, headers: Record<string, string> = {}) =>
    createHttpClient(platform().gatewayUrl).send({ path, headers });

  it('exposes health and readiness, but no metrics', async () => {
    expect((await get('/healthz')).body).to.deep.equal({ status: 'ok' });
    expect((await get('/readyz')).body).to.deep.equal({ status: 'ready' });
    expectError(await send(platform().gatewayUrl, 'GET', '/metrics'), 404, 'ROUTE_NOT_FOUND');
  });

  it('keeps readiness and metrics of every process on its operations port', async () => {
    for (const [name, url] of Object.entries(platform().stack.opsUrls)) {
      const operations = createHttpClient(url);
      expect((await operations.send({ path: '/readyz' })).status, name).to.equal(200);
      expect((await operations.send({ path: '/metrics' })).text, name).to.include(
        'process_cpu_seconds_total',
      );
    }
  });

  it('allows loopback origins with credentials and exposes the headers they need', async () => {
    for (const origin of ['http://localhost:5173', 'http://127.0.0.1:4200', 'http://[::1]:3000']) {
      const { headers } = await get('/api/v1/auth/me', { Origin: origin });
      expect(headers).to.include({
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
      });
      for (const name of ['X-Request-Id', 'Retry-After'])
        expect(headers['access-control-expose-headers']).to.include(name);
    }
  });

  it('sends no CORS headers to other origins', async () => {
    for (const origin of ['https://evil.example', 'http://localhost.evil.example', 'null', 'file://']) {
      const { headers, status } = await get('/api/v1/auth/me', { Origin: origin });
      expect(status).to.equal(401);
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).to.deep.equal([]);
    }
  });

  it('responses a preflight with the allowed methods and headers', async () => {
    const headers = [
      'authorization',
      'content-type',
      'x-fingerprint',
      'x-session-id',
      'x-request-id',
      'traceparent',
    ];
    const response = await createHttpClient(platform().gatewayUrl).send({
      method: 'OPTIONS',
      path: '/api/v1/customers/auth/sign-in',
      headers: {
        Origin: 'http://localhost:5173',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': headers.join(','),
      },
    });
    expect(response.status).to.equal(204);
    expect(response.headers['access-control-allow-origin']).to.equal('http://localhost:5173');
    const allowed = String(response.headers['access-control-allow-headers']).toLowerCase().split(/, ?/);
    expect(allowed).to.include.members(headers);
    expect(response.headers['access-control-allow-methods']).to.include('POST');
  });

  it('serves the API documentation with its files and its document', async () => {
    expect((await get('/api')).headers['location']).to.equal('/api/');
    const page = await get('/api/');
    expect(page.text).to.include('<title>Authentication</title>');
    for (const [, file = ''] of page.text.matchAll(/(?:src|href)="([^"]+)"/g))
      expect((await get(new URL(file, `${platform().gatewayUrl}/api/`).pathname)).status, file).to.equal(200);
    const { body } = await get('/api/openapi.json');
    expect(body.paths).to.have.property('/customers/auth/sign-in');
    expect(page.headers['content-security-policy']).not.to.match(/https?:/);
  });

  it('serves one document with the operations of both services, also to frontends', async () => {
    const Origin = 'http://localhost:5173';
    const { status, headers, body } = await get('/openapi.json', { Origin });
    expect(status).to.equal(200);
    expect(headers).to.include({
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': Origin,
    });
    const documents = await Promise.all(
      ['/api/openapi.json', '/api/v1/docs/openapi.json'].map((path) => get(path)),
    );
    expect(body.paths).to.deep.equal(Object.assign({}, ...documents.map((document) => document.body.paths)));
    for (const method of ['POST', 'HEAD', 'DELETE']) {
      const rejected = await createHttpClient(platform().gatewayUrl).send({ method, path: '/openapi.json' });
      expect([rejected.status, rejected.headers['allow']], method).to.deep.equal([405, 'GET']);
    }
  });

  it('sends frame-ancestors none with data, errors and pages', async () => {
    for (const path of ['/api/v1', '/api/v1/auth/me', '/nothing', '/api/', '/api/v1/docs/'])
      expect((await get(path)).headers['content-security-policy'], path).to.match(
        /(^|;)frame-ancestors 'none'(;|$)/,
      );
  });

  it('returns 404 for an unknown path, with the request id of the client', async () => {
    const headers = { 'X-Request-Id': 'my-request.1' };
    for (const path of [
      '/index.html',
      '/nothing',
      '/openapi.json/',
      '/api/v1/customers/auth/nothing',
      '/api/v2/auth/me',
    ]) {
      const response = await send(platform().gatewayUrl, 'GET', path, { headers });
      expectError(response, 404, 'ROUTE_NOT_FOUND');
      expect(response.body.requestId).to.equal('my-request.1');
    }
  });
});
