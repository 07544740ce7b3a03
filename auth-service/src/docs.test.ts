import { createHttpClient } from '@platform/shared/testing/http-client';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import request from 'supertest';
import { useAuthService } from '../testing/auth-service.ts';

describe('API documentation', () => {
  const service = useAuthService();
  const get = (path: string) => request(service().url).get(path);

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

  it('is kept by browsers and compressed only for those that accept it', async () => {
    const page = (await get('/api/')).text;
    const files = [...page.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, file]) => file);
    expect(files).to.include.members(['swagger-ui-bundle.js', 'openapi.json']);
    for (const path of ['', 'errors.html', 'errors-page.css', ...files]) {
      const plain = await get(`/api/${path}`).set('Accept-Encoding', 'identity').expect(200);
      expect(plain.headers, path).not.to.have.property('content-encoding');
      expect(plain.headers['cache-control'], path).to.equal('public, max-age=3600');
      const compressed = await get(`/api/${path}`).set('Accept-Encoding', 'gzip').expect(200);
      expect(compressed.headers['content-encoding'], path).to.equal('gzip');
    }
  });

  it('has a strict policy, and stores no token', async () => {
    for (const path of ['/api/', '/api/errors.html']) {
      const { headers } = await get(path).expect(200);
      expect(headers['content-security-policy'], path).to.match(
        /^default-src 'none';script-src 'self';style-src 'self';connect-src 'self';/,
      );
      expect(headers['permissions-policy'], path).to.include('camera=()');
    }
    expect((await get('/api/swagger-ui-init.js')).text).not.to.match(/persistAuthorization|PersistOption/);
  });

  it('does not shadow the routes below /api/v1 or unknown paths', async () => {
    expectError(await send(service().url, 'GET', '/api/v1/auth/me'), 401, 'TOKEN_INVALID');
    for (const path of [
      '/api/v1',
      '/api/v1/nothing',
      '/api/nothing',
      '/api/nothing.js',
      '/api/openapi.json/',
      '/api/OPENAPI.JSON',
      '/api/../package.json',
    ])
      expectError(await send(service().url, 'GET', path), 404, 'ROUTE_NOT_FOUND');
  });

  it('returns 405 with Allow for every other method of its paths', async () => {
    for (const path of ['/api', '/api/', '/api/openapi.json', '/api/errors.html', '/api/docs-page.css'])
      for (const method of ['HEAD', 'OPTIONS', 'POST', 'DELETE']) {
        const rejected = await createHttpClient(service().url).send({ method, path });
        expect([rejected.status, rejected.headers['allow']], `${method} ${path}`).to.deep.equal([405, 'GET']);
      }
  });
});
