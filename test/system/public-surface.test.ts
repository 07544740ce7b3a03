import { createHttpClient } from '@platform/shared/testing/http-client';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { usePlatform } from './use-platform.ts';

const DOCUMENTATION = [
  { path: '/api', title: 'Authentication', document: '/api/openapi.json' },
  { path: '/api/v1/docs', title: 'Back-office', document: '/api/v1/docs/openapi.json' },
];

describe('public surface of the gateway', () => {
  const platform = usePlatform();
  const get = (path: string, headers: Record<string, string> = {}) =>
    createHttpClient(platform().gatewayUrl).send({ path, headers });
  const readDocuments = async () =>
    await Promise.all(DOCUMENTATION.map(async ({ document }) => (await get(document)).body));

  it('exposes health and readiness, but no metrics', async () => {
    expect((await get('/healthz')).body).to.deep.equal({ status: 'ok' });
    expect((await get('/readyz')).body).to.deep.equal({ status: 'ready' });
    expectError(await send(platform().gatewayUrl, 'GET', '/metrics'), 404, 'ROUTE_NOT_FOUND');
  });

  it('rejects other hosts at every server, which a web page could let resolve to 127.0.0.1', async () => {
    const { gatewayUrl, authUrl, adminUrl, inboxUrl, oidcIssuer, opsUrls } = platform().stack;
    const urls = [gatewayUrl, authUrl, adminUrl, inboxUrl, oidcIssuer ?? '', ...Object.values(opsUrls)];
    for (const url of urls) {
      const request = { path: '/healthz', headers: { Host: 'rebound.evil.example' } };
      expect((await createHttpClient(url).send(request)).status, url).to.equal(421);
    }
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

  for (const { path, title, document } of DOCUMENTATION)
    it(`serves the documentation page ${path} with all its files, and loads nothing from another host`, async () => {
      expect((await get(path)).headers['location']).to.equal(`${path}/`);
      const page = await get(`${path}/`);
      expect(page.text).to.include(`<title>${title}</title>`);
      expect(page.headers['content-security-policy'])
        .to.include("default-src 'none'")
        .and.not.to.match(/https?:|unsafe|upgrade-insecure-requests/);
      const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file);
      expect(files.length).to.be.at.least(3);
      for (const file of files) {
        const { pathname, origin } = new URL(file, `${platform().gatewayUrl}${path}/`);
        expect(origin, file).to.equal(platform().gatewayUrl);
        expect((await get(pathname)).status, file).to.equal(200);
      }
      const foreign = /\b(?:src|href|url)["']?\s*[=:]\s*["']?(?:https?:)?\/\//;
      for (const text of [page.text, (await get(`${path}/swagger-ui-init.js`)).text])
        expect(text).not.to.match(foreign);
      expect((await get(document)).body.info.title).to.equal(title);
    });

  it('serves one document with the operations of both services, also to frontends', async () => {
    const Origin = 'http://localhost:5173';
    const { status, headers, body } = await get('/openapi.json', { Origin });
    expect(status).to.equal(200);
    expect(headers).to.include({
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': Origin,
    });
    const documents = await readDocuments();
    expect(body.paths).to.deep.equal(Object.assign({}, ...documents.map(({ paths }) => paths)));
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
      ...['/index.html', '/nothing', '/openapi.json/'],
      ...['/api/v1/customers/auth/nothing', '/api/v2/auth/me'],
    ]) {
      const response = await send(platform().gatewayUrl, 'GET', path, { headers });
      expectError(response, 404, 'ROUTE_NOT_FOUND');
      expect(response.body.requestId).to.equal('my-request.1');
    }
  });
});
