import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { ConfigError } from '@platform/shared/config/env';
import { expect } from 'chai';
import request from 'supertest';
import { NO_PAGES, startGateway, useTestServers } from '../../testing/start-gateway.ts';
import { expectRateLimited, range } from '../../testing/use-gateways.ts';
import type { PageSettings } from './page-settings.ts';

const SCRIPT = `console.log('${'x'.repeat(2_000)}')`;
const SCRIPT_PATH = '/console/assets/index-B1x_2-fQ.js';
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
const PNG = Buffer.from('\x89PNG\r\n\x1a\n…', 'latin1');

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; worker-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'; trusted-types platform";

describe('pages', () => {
  const { startUpstream, startGatewayTo } = useTestServers();
  let directory: string;

  before('write two small pages', () => {
    directory = mkdtempSync(join(tmpdir(), 'pages-'));
    writeFileSync(join(directory, 'secret.txt'), 'outside of the pages');
    for (const name of ['console', 'account']) {
      mkdirSync(join(directory, name, 'assets'), { recursive: true });
      writeFileSync(join(directory, name, 'index.html'), `<title>${name} of {{productName}}</title>`);
      writeFileSync(join(directory, name, 'assets/index-B1x_2-fQ.js'), SCRIPT);
    }
  });
  after('delete them', () => rmSync(directory, { recursive: true }));

  const start = async (settings: Partial<PageSettings> = {}, rateLimitScale = 100) => {
    const upstream = await startUpstream();
    const pages: PageSettings = {
      ...NO_PAGES,
      names: ['console', 'account'],
      isRequired: true,
      directory,
      ...settings,
    };
    const gateway = await startGatewayTo([upstream.url], { pages, rateLimitScale });
    return { upstream, get: (path: string) => request(gateway.url).get(path), url: gateway.url };
  };

  it('are one HTML file for every address within them, which browsers always ask for', async () => {
    const { get, upstream } = await start();
    for (const [path, title] of [
      ['/console/', 'console'],
      ['/console/users?role=CUSTOMER&page=2', 'console'],
      ['/console/users/0b6e6a0e-6f6b-4a7e-9f60-d3f1b6a8c1de', 'console'],
      ['/account/customer/sign-in?returnTo=%2F', 'account'],
      ['/account/change-password', 'account'],
      ['/account/customer/', 'account'],
    ] as const) {
      const { headers } = await get(path).expect(200, `<title>${title} of Marketplace</title>`);
      expect(headers, path).to.include({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'content-security-policy': POLICY,
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
      expect(headers['vary']).to.include('Accept-Encoding');
      await get(path)
        .set('If-None-Match', headers['etag'] ?? '')
        .expect(304);
    }
    expect(upstream.received).to.have.length(0);
  });

  it('have files that browsers keep for ever, compressed only for clients that accept it', async () => {
    const { get } = await start();
    const { headers } = await get(SCRIPT_PATH).set('Accept-Encoding', 'identity').expect(200, SCRIPT);
    expect(headers).to.include({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      'content-security-policy': POLICY,
    });
    expect(headers).not.to.have.property('content-encoding');
    const compressed = await get(SCRIPT_PATH).set('Accept-Encoding', 'gzip').expect(200, SCRIPT);
    expect(compressed.headers['content-encoding']).to.equal('gzip');
    expect(Number(compressed.headers['content-length'])).to.be.below(SCRIPT.length);
  });

  it('have files that the build has compressed with Brotli', async () => {
    const file = join(directory, SCRIPT_PATH);
    writeFileSync(`${file}.br`, brotliCompressSync(SCRIPT));
    try {
      const { get } = await start();
      const { headers } = await get(SCRIPT_PATH).set('Accept-Encoding', 'gzip, br').expect(200, SCRIPT);
      expect(headers['content-encoding']).to.equal('br');
      await get(`${SCRIPT_PATH}.br`).expect(404);
    } finally {
      rmSync(`${file}.br`);
    }
  });

  it('have no other file', async () => {
    const { get } = await start();
    for (const path of [
      ...['/console/assets/index-00000000.js', '/console/missing.css', '/secret.txt', '/console/secret.txt'],
      ...['/consoles', '/console/constructor.js', '/accounts/', '/pages/'],
    ]) {
      const { body } = await get(path).expect(404);
      expect(body.code, path).to.equal('ROUTE_NOT_FOUND');
    }
    for (const path of ['/console/../secret.txt', '/console/%2e%2e/secret.txt', '/console/..%2fsecret.txt'])
      await get(path).expect(({ status, text }) => {
        expect([400, 404]).to.include(status);
        expect(text).not.to.include('outside');
      });
  });

  it('accept GET and HEAD only', async () => {
    const { url } = await start();
    const { headers, text } = await request(url).head('/console/').expect(200);
    expect(text ?? '').to.equal('');
    expect(Number(headers['content-length'])).to.be.greaterThan(0);
    for (const method of ['post', 'put', 'delete'] as const) {
      const response = await request(url)[method]('/console/users').expect(405);
      expect(response.headers['allow']).to.equal('GET, HEAD');
      expect(response.body.code).to.equal('METHOD_NOT_ALLOWED');
    }
  });

  it('redirect to their slash, and /.well-known/change-password to the account', async () => {
    const { get } = await start();
    await get('/console').expect(301).expect('Location', '/console/');
    await get('/account?returnTo=%2Fshop').expect(301).expect('Location', '/account/?returnTo=%2Fshop');
    await get('/.well-known/change-password').expect(302).expect('Location', '/account/change-password');
    await get('/.well-known/other').expect(404);
  });

  it('are only those that PAGES names', async () => {
    const { get } = await start({ names: ['console'] });
    await get('/console/').expect(200);
    for (const path of ['/account/', '/account', '/account/settings.json', '/.well-known/change-password'])
      await get(path).expect(404);
    const none = await start({ names: [] });
    for (const path of ['/console/', '/console', SCRIPT_PATH]) await none.get(path).expect(404);
  });

  it('have the name of the product in their HTML', async () => {
    const { get } = await start({ productName: 'Müller & <Söhne>' });
    await get('/account/').expect(200, '<title>account of Müller &#38; &#60;Söhne&#62;</title>');
  });

  it('have the first letter of the product in their HTML, as its icon has', async () => {
    writeFileSync(join(directory, 'account', 'index.html'), '<b>{{productInitial}}</b>');
    const { get } = await start({ productName: '<ölmühle>' });
    await get('/account/').expect(200, '<b>&#60;</b>');
  });

  it('get the settings in a file, and the colours in a stylesheet', async () => {
    const { get } = await start({
      productName: 'Müller & Söhne',
      kindNames: {
        customer: { en: 'Client account', de: 'Kundenkonto' },
        employee: { en: 'Freelancer account', de: 'Freelancerkonto' },
      },
      environmentName: 'Staging',
      desks: { OPERATOR: { url: 'https://desk.example.com', name: 'Operations desk' }, ARBITER: undefined },
      supportEmail: 'support@example.com',
      termsUrl: 'https://example.com/terms',
      returnOrigins: ['https://app.example.com'],
      accent: { colour: '#ff6900', dark: '#1db954' },
      logo: { type: 'png', bytes: PNG },
      logoDark: { type: 'svg', bytes: SVG },
      brandPanel: { en: 'Buy from makers.', de: undefined },
      providerLogos: new Map([['big-company', { type: 'svg', bytes: SVG }]]),
    });
    const { body, headers } = await get('/account/settings.json').expect(200);
    expect(body).to.deep.equal({
      productName: 'Müller & Söhne',
      kindNames: {
        customer: { en: 'Client account', de: 'Kundenkonto' },
        employee: { en: 'Freelancer account', de: 'Freelancerkonto' },
      },
      environmentName: 'Staging',
      desks: { OPERATOR: { url: 'https://desk.example.com', name: 'Operations desk' }, ARBITER: null },
      supportEmail: 'support@example.com',
      termsUrl: 'https://example.com/terms',
      privacyUrl: null,
      logo: 'logo.png',
      logoDark: 'logo-dark.svg',
      brandPanel: { en: 'Buy from makers.', de: null, logo: 'logo.png', logoDark: 'logo.png' },
      providerLogos: { 'big-company': 'provider-big-company.svg' },
      returnOrigins: ['https://app.example.com'],
    });
    expect(headers['cache-control']).to.equal('no-cache');
    const { body: consoleSettings } = await get('/console/settings.json').expect(200);
    expect(consoleSettings).to.include({ brandPanel: null });
    const { text } = await get('/console/settings.css').expect('Content-Type', /^text\/css/);
    expect(text)
      .to.include('--accent: light-dark(#ff6900, #1db954);')
      .and.include('--on-accent: light-dark(#16181b, #16181b);')
      .and.include('--link-line: none;');
    const icon = await get('/console/icon.svg').buffer().expect(200);
    expect(icon.body.toString()).to.include('fill="#ff6900"').and.include('>M</text>');
  });

  it('name the logo that can be seen on the panel', async () => {
    const logos = { logo: { type: 'png', bytes: PNG }, logoDark: { type: 'svg', bytes: SVG } } as const;
    const brandPanel = { en: undefined, de: undefined };
    const toLogos = async (settings: Partial<PageSettings>) => {
      const { get } = await start({ brandPanel, ...settings });
      const { logo, logoDark } = (await get('/account/settings.json').expect(200)).body.brandPanel;
      return [logo, logoDark];
    };
    const navy = { colour: '#003366', dark: undefined } as const;
    expect(await toLogos({ ...logos, accent: navy })).to.deep.equal(['logo-dark.svg', 'logo-dark.svg']);
    const pale = { colour: '#ffffff', dark: '#003366' } as const;
    expect(await toLogos({ ...logos, accent: pale })).to.deep.equal(['logo.png', 'logo-dark.svg']);
    expect(await toLogos({ logo: logos.logo, accent: navy })).to.deep.equal(['logo.png', 'logo.png']);
    expect(await toLogos({ accent: navy })).to.deep.equal([null, null]);
  });

  it('serve logos as pictures, never as documents in which something runs', async () => {
    const { get } = await start({
      logo: { type: 'png', bytes: PNG },
      logoDark: { type: 'svg', bytes: SVG },
      providerLogos: new Map([['company', { type: 'svg', bytes: SVG }]]),
    });
    for (const [path, type, bytes] of [
      ['/account/provider-company.svg', 'image/svg+xml', SVG],
      ['/console/logo.png', 'image/png', PNG],
      ['/account/logo-dark.svg', 'image/svg+xml', SVG],
    ] as const) {
      const { body, headers } = await get(path).buffer().expect(200);
      expect(body, path).to.deep.equal(bytes);
      expect(headers, path).to.include({
        'content-disposition': 'attachment',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        'x-content-type-options': 'nosniff',
      });
      expect(headers['content-type']).to.match(new RegExp(`^${type.replace('+', '\\+')}(;|$)`));
    }
  });

  it('have an empty stylesheet, icons of their own and no logo without settings', async () => {
    const { get } = await start();
    await get('/console/settings.css').expect(200, '');
    const { body } = await get('/console/settings.json').expect(200);
    expect(body).to.include({ productName: 'Marketplace', supportEmail: null, logo: null, brandPanel: null });
    const { body: icon } = await get('/console/touch-icon.png').buffer().expect(200);
    expect(icon.subarray(1, 4).toString()).to.equal('PNG');
    expect([icon.readUInt32BE(16), icon.readUInt32BE(20)]).to.deep.equal([180, 180]);
    for (const path of ['/console/logo.png', '/console/logo.svg', '/console/logo-dark.png'])
      await get(path).expect(404);
  });

  it('have a limit of their own for a network', async () => {
    const { get } = await start({}, 0.01);
    for (const _ of range(3)) await get('/account/').expect(200);
    expectRateLimited(await get('/console/users'));
  });

  it('prevent the start when they were not built, except where they are on by default', async () => {
    const config = { auth: ['http://127.0.0.1:9'], admin: ['http://127.0.0.1:9'] };
    const missing: PageSettings = { ...NO_PAGES, names: ['console'], directory: join(directory, 'missing') };
    const error = await startGateway({ ...config, pages: { ...missing, isRequired: true } }).catch(
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(ConfigError).with.property('message').that.includes('PAGES: ');
    const { get } = await start({ directory: join(directory, 'missing'), isRequired: false });
    await get('/console/').expect(404);
  });
});
