import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import request from 'supertest';
import { useAuthService } from '../auth-service.ts';

const EXTERNAL = /(?:https?:)?\/\/(?!www\.w3\.org)[a-z0-9-]+\.[a-z]/i;

describe('API documentation', () => {
  const service = useAuthService();
  const get = (path: string) => request(service().url).get(path);

  it('serves a page at /api', async () => {
    const redirect = await get('/api');
    expect(redirect.status).to.be.oneOf([301, 302, 307, 308]);
    expect(redirect.headers['location']).to.equal('/api/');
    const page = await get('/api/');
    expect(page.status).to.equal(200);
    expect(page.headers['content-type']).to.match(/^text\/html/);
    expect(page.text).to.include('<title>Authentication</title>');
  });

  it('serves all files from this host, and the page allows no other', async () => {
    const { text, headers } = await get('/api/');
    const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file);
    expect(files).to.have.length.of.at.least(4);
    for (const file of files) {
      expect(file).not.to.match(EXTERNAL);
      const { status, headers } = await get(new URL(file, `${service().url}/api/`).pathname);
      expect(status, file).to.equal(200);
      expect(headers['x-content-type-options']).to.equal('nosniff');
    }
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).to.match(/(^|;)default-src 'self'(;|$)/);
    expect(policy).to.match(/(^|;)frame-ancestors 'none'(;|$)/);
    expect(policy).not.to.match(EXTERNAL);
    expect(policy).not.to.match(/unsafe|upgrade-insecure-requests/);
  });

  it('serves the document with all routes at /api/openapi.json', async () => {
    const { status, headers, body } = await get('/api/openapi.json');
    expect(status).to.equal(200);
    expect(headers['content-type']).to.match(/^application\/json/);
    expect(body.openapi).to.match(/^3\.1/);
    expect(body.servers).to.deep.equal([{ url: '/api/v1' }]);
    const routes = ['sign-up', 'sign-in', 'me', 'sign-out', 'refresh/token'];
    for (const kind of ['customers', 'employees'])
      expect(Object.keys(body.paths)).to.include.members(routes.map((route) => `/${kind}/auth/${route}`));
    expect(body.paths).to.have.property('/auth/me');
    expect(JSON.stringify(body)).not.to.match(/"\$ref":"(?!#\/)/);
  });

  it('does not shadow the routes below /api/v1 or unknown paths', async () => {
    expectError(await send(service().url, 'GET', '/api/v1/auth/me'), 401, 'TOKEN_INVALID');
    for (const path of [
      '/api/v1',
      '/api/v1/nothing',
      '/api/nothing',
      '/api/nothing.js',
      '/api/../package.json',
    ])
      expectError(await send(service().url, 'GET', path), 404, 'ROUTE_NOT_FOUND');
  });
});
