import { createHttpClient } from '@platform/shared/testing/http-client';
import { expect } from 'chai';
import { usePlatform } from './use-platform.ts';

const DOCS = '/api/v1/docs';

describe('API documentation of the back-office', () => {
  const platform = usePlatform();
  const get = (path: string) => createHttpClient(platform().gatewayUrl).send({ path });

  it('serves the page with its title and all its files from the same origin', async () => {
    expect((await get(DOCS)).headers['location']).to.equal(`${DOCS}/`);
    const page = await get(`${DOCS}/`);
    expect(page.status).to.equal(200);
    expect(page.text).to.include('<title>Back-office</title>');
    const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file);
    expect(files.length).to.be.at.least(3);
    for (const file of files) {
      const { pathname, origin } = new URL(file, `${platform().gatewayUrl}${DOCS}/`);
      expect(origin, file).to.equal(platform().gatewayUrl);
      expect((await get(pathname)).status, file).to.equal(200);
    }
  });

  it('loads nothing from another host', async () => {
    const page = await get(`${DOCS}/`);
    expect(page.headers['content-security-policy'])
      .to.include("default-src 'self'")
      .and.not.to.match(/https?:/);
    for (const path of [`${DOCS}/`, `${DOCS}/swagger-ui-init.js`])
      expect((await get(path)).text, path).not.to.match(
        /\b(?:src|href|url)["']?\s*[=:]\s*["']?(?:https?:)?\/\//,
      );
  });

  it('has the bearer scheme jwt-admin-access on every route but the public ones', async () => {
    const { body } = await get(`${DOCS}/openapi.json`);
    expect(body.info.title).to.equal('Back-office');
    expect(body.components.securitySchemes['jwt-admin-access']).to.include({
      type: 'http',
      scheme: 'bearer',
    });
    const open = Object.entries<Record<string, { security?: object[] }>>(body.paths)
      .filter(([, item]) => Object.values(item).some(({ security }) => !security))
      .map(([path]) => path);
    expect(open).to.have.members(['/', '/contact/lead', '/contact/support']);
  });

  it('defines every security scheme that a sign-in authorises in one of the documents', async () => {
    const [authentication, office] = [
      (await get('/api/openapi.json')).body,
      (await get(`${DOCS}/openapi.json`)).body,
    ];
    const schemes = [authentication, office].flatMap(({ components }) =>
      Object.keys(components.securitySchemes),
    );
    const operations = Object.values<Record<string, { 'x-authorizes'?: string[] }>>(authentication.paths);
    const authorizing = operations
      .flatMap(Object.values<{ 'x-authorizes'?: string[] }>)
      .flatMap((operation) => operation['x-authorizes'] ?? []);
    expect(authorizing).to.include('jwt-admin-access');
    expect(schemes).to.include.members(authorizing);
  });

  it('resolves every reference within the document', async () => {
    const { body, text } = await get(`${DOCS}/openapi.json`);
    const references = new Set(
      [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = '']) => reference),
    );
    expect(references.size).to.be.at.least(20);
    for (const reference of references) {
      const [hash, ...steps] = reference.split('/');
      expect(hash, reference).to.equal('#');
      expect(
        steps.reduce((part, step) => part?.[step], body),
        reference,
      ).to.be.an('object');
    }
  });

  it('returns the greeting of the back-office without a token', async () => {
    for (const path of ['/api/v1', '/api/v1/'])
      expect((await get(path)).body).to.deep.equal({ message: 'Hello API' });
  });
});
