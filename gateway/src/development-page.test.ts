import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import request from 'supertest';
import { useTestServers } from '../testing/start-gateway.ts';

describe('development page', () => {
  const { startUpstream, startGatewayTo } = useTestServers();
  let directory: string;

  before(() => {
    // A hidden folder, like .data.
    directory = join(mkdtempSync(join(tmpdir(), 'gateway-')), '.page');
    mkdirSync(directory);
    writeFileSync(join(directory, 'index.html'), '<title>The page</title>');
    writeFileSync(join(directory, 'development-page.css'), 'body { margin: 0 }');
    writeFileSync(join(directory, 'secret.json'), '{}');
  });
  after(() => rmSync(join(directory, '..'), { recursive: true }));

  const startWithPage = async () => {
    const upstream = await startUpstream();
    return { ...(await startGatewayTo([upstream.url], { developmentPageDir: directory })), upstream };
  };

  it('appears at / with a strict Content-Security-Policy and the headers of every response', async () => {
    const { url, upstream } = await startWithPage();
    for (const path of ['/', '/?from=summary']) {
      const { headers } = await request(url).get(path).expect(200, '<title>The page</title>');
      expect(headers['content-type']).to.equal('text/html; charset=utf-8');
      expect(headers['content-security-policy']).to.equal(
        "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
      expect(headers).to.include({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
      expect(headers['x-request-id']).to.be.a('string');
    }
    await request(url).head('/').expect(200);
    await request(url)
      .get('/development-page.css')
      .expect(200)
      .expect('Content-Type', /^text\/css/);
    expect(upstream.received).to.have.length(0);
  });

  it('contains no other file, and accepts no other method', async () => {
    const { url } = await startWithPage();
    for (const path of ['/index.html', '/secret.json', '/nothing', '/constructor']) {
      const { body } = await request(url).get(path).expect(404);
      expect(body.code, path).to.equal('ROUTE_NOT_FOUND');
    }
    for (const method of ['post', 'put', 'delete'] as const)
      expect((await request(url)[method]('/').expect(404)).body.code).to.equal('ROUTE_NOT_FOUND');
  });

  it('returns 404 with the error body of every route when its folder was removed', async () => {
    const upstream = await startUpstream();
    const { url } = await startGatewayTo([upstream.url], { developmentPageDir: join(directory, 'gone') });
    const { body } = await request(url).get('/').expect(404);
    expect(body).to.include({ statusCode: 404, error: 'Not Found', code: 'ROUTE_NOT_FOUND' });
  });
});
