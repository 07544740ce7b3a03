import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '@platform/shared/config/env';
import { expect } from 'chai';
import { readConfig } from '../config.ts';

const PRODUCTION = {
  AUTH_SERVICE_URLS: 'http://127.0.0.1:3001',
  ADMIN_SERVICE_URLS: 'http://127.0.0.1:3002',
  REDIS_URL: 'redis://redis',
  CORS_ORIGINS: 'https://app.example.com,https://shop.example.org',
  PAGES: 'on',
  PUBLIC_URL: 'https://api.example.com',
};

const read = (environment: Record<string, string>) => readConfig({ ...PRODUCTION, ...environment }).pages;

describe('settings of the gateway for pages', () => {
  it('have defaults for everything that is shown', () => {
    const { directory, ...settings } = read({});
    expect(directory).to.match(/web.dist$/);
    expect(settings).to.deep.equal({
      names: ['console', 'account'],
      isRequired: true,
      productName: 'Marketplace',
      kindNames: {
        customer: { en: 'Customer account', de: 'Kundenkonto' },
        employee: { en: 'Employee account', de: 'Mitarbeiterkonto' },
      },
      environmentName: undefined,
      desks: { OPERATOR: undefined, ARBITER: undefined },
      supportEmail: undefined,
      termsUrl: undefined,
      privacyUrl: undefined,
      returnOrigins: [],
      logo: undefined,
      logoDark: undefined,
      accent: { colour: undefined, dark: undefined },
      brandPanel: undefined,
      providerLogos: new Map(),
    });
  });

  it('accept only links of the web', () => {
    const TERMS_URL = 'https://example.com/terms/?lang=en';
    expect(read({ TERMS_URL, PRIVACY_URL: TERMS_URL })).to.include({
      termsUrl: TERMS_URL,
      privacyUrl: TERMS_URL,
    });
    for (const url of ['javascript:alert(1)', 'data:text/html,x', '/terms', 'mailto:a@example.com'])
      for (const name of ['TERMS_URL', 'PRIVACY_URL'])
        expect(() => read({ [name]: url }), url).to.throw(ConfigError, `${name} must be a URL`);
  });

  it('name a desk only with its address, which is a link of the web', () => {
    const OPERATOR_DESK_URL = 'https://desk.example.com/work';
    expect(read({ OPERATOR_DESK_URL, ARBITER_DESK_NAME: 'Court' }).desks).to.deep.equal({
      OPERATOR: { url: OPERATOR_DESK_URL, name: undefined },
      ARBITER: undefined,
    });
    expect(() => read({ OPERATOR_DESK_URL: 'javascript:alert(1)' })).to.throw(
      ConfigError,
      'OPERATOR_DESK_URL',
    );
    expect(() => read({ ENVIRONMENT_NAME: 'x'.repeat(21) })).to.throw(ConfigError, 'ENVIRONMENT_NAME');
  });

  it('have a panel only where BRAND_PANEL is on', () => {
    const texts = { BRAND_TEXT_EN: ' Buy from makers. ', BRAND_TEXT_DE: 'Direkt vom Hersteller.' };
    expect(read(texts).brandPanel).to.equal(undefined);
    const { brandPanel } = read({ ...texts, BRAND_PANEL: 'on' });
    expect(brandPanel).to.deep.equal({ en: 'Buy from makers.', de: 'Direkt vom Hersteller.' });
    for (const BRAND_TEXT_EN of ['x'.repeat(201), 'two\nlines', ' '])
      expect(() => read({ BRAND_TEXT_EN })).to.throw(ConfigError, 'BRAND_TEXT_EN must have 1 to 200');
  });

  it('have the logos of providers by their names', () => {
    const logo = join(mkdtempSync(join(tmpdir(), 'logo-')), 'logo.svg');
    writeFileSync(logo, '<svg xmlns="http://www.w3.org/2000/svg"/>');
    const { providerLogos } = read({
      OIDC_BIG_COMPANY_2_LOGO_FILE: logo,
      OIDC_OTHER_ISSUER: 'https://x.example',
    });
    expect([...providerLogos.keys()]).to.deep.equal(['big-company-2']);
    expect(providerLogos.get('big-company-2')?.type).to.equal('svg');
    expect(() => read({ OIDC_X_LOGO_FILE: import.meta.filename })).to.throw(
      ConfigError,
      /OIDC_X_LOGO_FILE must be/,
    );
  });

  it('return only to origins that CORS allows, on the site of the platform', () => {
    const returnTo = (ACCOUNT_RETURN_ORIGINS: string, others = {}) =>
      read({ ACCOUNT_RETURN_ORIGINS, ...others }).returnOrigins;
    expect(returnTo('https://app.example.com')).to.deep.equal(['https://app.example.com']);
    for (const [origin, problem] of [
      ['https://other.example.com', 'is not in CORS_ORIGINS'],
      ['https://shop.example.org', 'is not of the site of PUBLIC_URL'],
    ] as const)
      expect(() => returnTo(`https://app.example.com,${origin}`)).to.throw(
        ConfigError,
        `ACCOUNT_RETURN_ORIGINS: ${origin} ${problem}`,
      );
    for (const origin of ['https://app.example.com/', 'https://*.example.com', 'null', 'app.example.com'])
      expect(() => returnTo(origin), origin).to.throw(ConfigError, /^ACCOUNT_RETURN_ORIGINS must be a list/);
  });

  it('allow loopback origins in development, where CORS allows them', () => {
    const { AUTH_SERVICE_URLS, ADMIN_SERVICE_URLS } = PRODUCTION;
    const readInDevelopment = (ACCOUNT_RETURN_ORIGINS: string) =>
      readConfig({ NODE_ENV: 'development', AUTH_SERVICE_URLS, ADMIN_SERVICE_URLS, ACCOUNT_RETURN_ORIGINS });
    expect(readInDevelopment('http://localhost:5173').pages.returnOrigins).to.have.length(1);
    expect(() => readInDevelopment('https://app.example.com')).to.throw('is not in CORS_ORIGINS');
  });

  it('are rejected together with each other, also where a rule involves several', () => {
    const environment = {
      GATEWAY_PORT: 'x',
      PUBLIC_URL: 'http://api.example.com/a',
      ACCOUNT_RETURN_ORIGINS: 'https://other.example',
    };
    expect(() => read(environment)).to.throw(
      'GATEWAY_PORT must be an integer from 0 to 65535; PUBLIC_URL must have no path and must use https with ' +
        'PAGES; ACCOUNT_RETURN_ORIGINS: https://other.example is not in CORS_ORIGINS',
    );
  });

  it('are rejected by name together with those of the appearance', () => {
    expect(() => read({ PAGES: 'yes', ACCENT_COLOUR: 'red', LOGO_FILE: '/missing.png' })).to.throw(
      ConfigError,
      /^(?=.*PAGES )(?=.*ACCENT_COLOUR must)(?=.*LOGO_FILE cannot be read: \/missing\.png)/,
    );
  });
});
