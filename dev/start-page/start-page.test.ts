import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readStackConfig } from '../config.ts';
import { demoAccounts } from '../seed/demo-people.ts';
import { useTemporaryDirectory } from '../testing/temporary-directory.ts';
import { hasStartPage, renderStartPage, writeStartPage } from './start-page.ts';

const page = {
  inboxUrl: 'http://127.0.0.1:8025',
  oidcIssuer: 'http://127.0.0.1:8026',
  hasDemoAccounts: true,
  demoPassword: 'Password123!',
};

describe('start page', () => {
  const directory = useTemporaryDirectory();

  it('links to both documentation pages, the joined document, the queues, inbox, provider and second factor', () => {
    const targets = [...renderStartPage(page).matchAll(/<a href="([^"]+)"/g)].map(([, target]) => target);
    const expected = [
      '/api/',
      '/api/v1/docs/',
      '/openapi.json',
      '/api/v1/administrator/queues/',
      page.inboxUrl,
      `${page.oidcIssuer}/.well-known/openid-configuration`,
      'otpauth://totp/Marketplace:secured@example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&#38;issuer=Marketplace',
    ];
    expect([...new Set(targets)]).to.have.members(expected);
  });

  it('names all demo accounts with their password', () => {
    const html = renderStartPage(page);
    for (const { email, role } of demoAccounts) expect(html).to.include(email).and.include(role);
    expect(html)
      .to.include('<code>Password123!</code>')
      .and.include('<code>JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP</code>');
    expect(renderStartPage({ ...page, hasDemoAccounts: false })).to.not.include('Demo accounts');
  });

  it('escapes values, and has neither scripts nor inline styles', () => {
    const html = renderStartPage({ ...page, inboxUrl: 'http://a/"><script>', demoPassword: '<b>&' });
    expect(html).to.include('&#60;b&#62;&#38;').and.include('http://a/&#34;&#62;&#60;script&#62;');
    expect(html).to.not.match(/<script|<style|style=|\son\w+=|\{\{/);
  });

  it('does not contain the value of SEED_PASSWORD', () => {
    const config = { ...readStackConfig({ SEED_PASSWORD: 'only for me' }), dataDir: directory.path };
    const folder = writeStartPage(config, { inboxUrl: null, oidcIssuer: null });
    expect(existsSync(join(folder, 'development-page.css'))).to.equal(true);
    const html = readFileSync(join(folder, 'index.html'), 'utf8');
    expect(html).to.include('<code>SEED_PASSWORD</code>').and.include('<code>SMTP_URL</code>');
    expect(html).to.include('<code>OIDC_PROVIDERS</code>');
    expect(html).to.not.include('only for me');
  });

  it('does not exist in a stack with NODE_ENV=production', () => {
    expect(
      ['production', 'development', '', undefined].map((NODE_ENV) => hasStartPage({ env: { NODE_ENV } })),
    ).to.deep.equal([false, true, true, true]);
  });
});
