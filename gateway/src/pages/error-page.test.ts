import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHttpClient } from '@platform/shared/testing/http-client';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { NO_PAGES, useTestServers } from '../../testing/start-gateway.ts';
import type { GatewayConfig } from '../config.ts';

/** The `Accept` header that Chromium sends for a page. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
const STYLESHEET = '/account/assets/start-B1x_2-fQ.css';

describe('error pages of the gateway', () => {
  const { startUpstream, startGatewayTo } = useTestServers();
  let directory: string;
  before('write a small page', () => {
    directory = mkdtempSync(join(tmpdir(), 'pages-'));
    mkdirSync(join(directory, 'account/assets'), { recursive: true });
    const html = `<link rel="icon" href="x"><link rel="stylesheet" crossorigin href="${STYLESHEET}"><script>1</script>`;
    writeFileSync(join(directory, 'account/index.html'), html);
    writeFileSync(join(directory, STYLESHEET), 'h1{}');
  });
  after('delete it', () => rmSync(directory, { recursive: true }));

  const start = async (config: Partial<GatewayConfig> = {}) => {
    const upstream = await startUpstream();
    const pages = { ...NO_PAGES, names: ['account'], directory, productName: 'Müller & <Söhne>' } as const;
    const { url } = await startGatewayTo([upstream.url], { pages, ...config });
    const client = createHttpClient(url);
    return (path: string, accept: string | undefined, language = 'en-GB,en;q=0.5', method = 'GET') =>
      client.sendOrThrow({ method, path, headers: { Accept: accept, 'Accept-Language': language } });
  };

  it('say in words that an address is none, in the language of the browser and without a script', async () => {
    const request = await start();
    const { status, headers, text } = await request('/account/missing.html', BROWSER);
    expect(status).to.equal(404);
    expect(headers).to.include({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    expect(headers['content-security-policy'])
      .to.include("script-src 'self'")
      .and.not.to.include('unsafe-inline');
    expect(headers['vary']).to.equal('Origin, Accept, Accept-Language');
    expect(text)
      .to.include('<h1>This page doesn’t exist</h1>')
      .and.include('Müller &#38; &#60;Söhne&#62;')
      .and.include(`<link rel="stylesheet" crossorigin href="${STYLESHEET}">`)
      .and.include('href="/account/"')
      .and.include(String(headers['x-request-id']))
      .and.not.match(/<script|<style|style=|icon/);
    const german = await request('/account/customer/%2e', BROWSER, 'de-AT, en;q=0.5');
    expect(german.status).to.equal(400);
    expect(german.text).to.include('<html lang="de">').and.include('<h1>Diese Seite gibt es nicht</h1>');
    expect((await request('/console/', BROWSER)).text).to.include('<h1>This page doesn’t exist</h1>');
  });

  it('are for people alone: programs, and everything outside of the pages, get JSON', async () => {
    const request = await start();
    for (const accept of [undefined, '*/*', 'application/json', 'text/css,*/*;q=0.1', 'image/avif,*/*;q=0.8'])
      expectError(await request('/account/missing.js', accept), 404, 'ROUTE_NOT_FOUND');
    for (const path of ['/api/v2', '/accounts', '/'])
      expectError(await request(path, BROWSER), 404, 'ROUTE_NOT_FOUND');
    expectError(await request('/account/', undefined, 'en', 'POST'), 405, 'METHOD_NOT_ALLOWED');
  });

  it('say in words that pages are switched off, with their stylesheets', async () => {
    const request = await start({ blockedPaths: ['/'] });
    const { status, headers, text } = await request('/account/customer/sign-in', BROWSER);
    expect({ status, ...headers }).to.include({ status: 503, 'retry-after': '300' });
    expect(text).to.include('<h1>Not available right now</h1>').and.include('in 5 minutes');
    expect((await request(STYLESHEET, 'text/css,*/*;q=0.1')).status).to.equal(200);
    expectError(await request('/account/customer/sign-in', '*/*'), 503, 'SERVICE_UNAVAILABLE');
    expectError(await request('/api/v1/x.css', BROWSER), 503, 'SERVICE_UNAVAILABLE');
  });

  it('say in words that there were too many requests', async () => {
    const request = await start({ rateLimitScale: 0.001 });
    await request('/account/', BROWSER);
    const { status, headers, text } = await request('/account/', BROWSER, 'de');
    expect(status).to.equal(429);
    expect(headers).to.include.keys('retry-after', 'ratelimit', 'x-request-id');
    expect(text).to.include('<h1>Zu viele Anfragen</h1>').and.include('in einer Minute neu');
  });
});
