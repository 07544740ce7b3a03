import { expectError, send } from '@platform/shared/testing/responses';
import { type StackFile, sharedStack } from '@platform/shared/testing/stack';
import { expect } from 'chai';
import request from 'supertest';

describe('What everybody can reach', () => {
  let stack: StackFile;
  before('start the stack', async function () {
    this.timeout(60_000);
    stack = (await sharedStack()).stack;
  });
  const get = (path: string, headers: Record<string, string> = {}) =>
    request(stack.gatewayUrl).get(path).set(headers);

  it('health and readiness are public, the figures are not', async () => {
    expect((await get('/healthz')).body).to.deep.equal({ status: 'ok' });
    expect((await get('/readyz')).body).to.deep.equal({ status: 'ready' });
    expectError(await send(stack.gatewayUrl, 'GET', '/metrics'), 404, 'ROUTE_NOT_FOUND');
  });

  it('every process is ready and shows its figures on a port of its own', async () => {
    for (const [name, url] of Object.entries(stack.opsUrls)) {
      expect((await request(url).get('/readyz')).status, name).to.equal(200);
      expect((await request(url).get('/metrics')).text, name).to.include('process_cpu_seconds_total');
    }
  });

  it('a page of this machine may call with credentials, and read what it needs', async () => {
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

  it('a page of anywhere else may not', async () => {
    for (const origin of ['https://evil.example', 'http://localhost.evil.example', 'null', 'file://']) {
      const { headers, status } = await get('/api/v1/auth/me', { Origin: origin });
      expect(status).to.equal(401);
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).to.deep.equal([]);
    }
  });

  it('a browser is told beforehand what it may send', async () => {
    const headers = [
      'authorization',
      'content-type',
      'x-fingerprint',
      'x-session-id',
      'x-request-id',
      'traceparent',
    ];
    const answer = await request(stack.gatewayUrl)
      .options('/api/v1/customers/auth/sign-in')
      .set({
        Origin: 'http://localhost:5173',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': headers.join(','),
      });
    expect(answer.status).to.equal(204);
    expect(answer.headers['access-control-allow-origin']).to.equal('http://localhost:5173');
    const allowed = String(answer.headers['access-control-allow-headers']).toLowerCase().split(/, ?/);
    expect(allowed).to.include.members(headers);
    expect(answer.headers['access-control-allow-methods']).to.include('POST');
  });

  it('the documentation comes through, with its files and its document', async () => {
    expect((await get('/api')).headers['location']).to.equal('/api/');
    const page = await get('/api/');
    expect(page.text).to.include('<title>Authentication</title>');
    for (const [, file = ''] of page.text.matchAll(/(?:src|href)="([^"]+)"/g))
      expect((await get(new URL(file, `${stack.gatewayUrl}/api/`).pathname)).status, file).to.equal(200);
    const { body } = await get('/api/openapi.json');
    expect(body.paths).to.have.property('/customers/auth/sign-in');
    expect(page.headers['content-security-policy']).not.to.match(/https?:/);
  });

  it('no response can be framed: data, errors and pages have frame-ancestors none', async () => {
    for (const path of ['/api/v1', '/api/v1/auth/me', '/nothing', '/api/', '/api/v1/docs/'])
      expect((await get(path)).headers['content-security-policy'], path).to.match(
        /(^|;)frame-ancestors 'none'(;|$)/,
      );
  });

  it('an unknown path is 404 with the one error body, and the request id goes all the way through', async () => {
    const headers = { 'X-Request-Id': 'my-request.1' };
    for (const path of ['/', '/nothing', '/api/v1/customers/auth/nothing', '/api/v2/auth/me']) {
      const answer = await send(stack.gatewayUrl, 'GET', path, { headers });
      expectError(answer, 404, 'ROUTE_NOT_FOUND');
      expect(answer.body.requestId).to.equal('my-request.1');
    }
  });
});
