import { ConfigError } from '@platform/shared/config/env';
import { expect } from 'chai';
import { toWebauthnSettings, type WebauthnSettings } from './webauthn-settings.ts';

const read = (rpId: string | undefined, origins: string[], NODE_ENV = 'production') =>
  toWebauthnSettings({ NODE_ENV, WEBAUTHN_RP_ID: rpId, WEBAUTHN_ORIGINS: origins });

const expectAllowed = (settings: WebauthnSettings | undefined, origins: Record<string, boolean>): void => {
  for (const [origin, isAllowed] of Object.entries(origins))
    expect(settings?.isAllowedOrigin(origin), origin).to.equal(isAllowed);
};

describe('passkey settings', () => {
  it('disable passkeys in production if neither variable is set', () => {
    expect(read(undefined, [])).to.equal(undefined);
  });

  for (const environment of ['development', 'test'])
    it(`allow localhost with any port in ${environment}, and no other origin`, () => {
      const settings = read(undefined, [], environment);
      expect(settings?.rpId).to.equal('localhost');
      expectAllowed(settings, {
        'http://localhost:5173': true,
        'http://localhost': true,
        'https://localhost:3000': true,
        'http://127.0.0.1:5173': false,
        'http://app.localhost:5173': false,
        'http://localhost.example.com': false,
        'http://localhost:5173/': false,
        null: false,
      });
    });

  it('allow exactly the given origins, which are at the domain or below it', () => {
    const origins = ['https://example.com', 'https://app.example.com:8443'];
    const settings = read('example.com', origins);
    expect(settings?.rpId).to.equal('example.com');
    expectAllowed(settings, {
      'https://example.com': true,
      'https://app.example.com:8443': true,
      'https://app.example.com': false,
      'https://other.example.com': false,
      'http://example.com': false,
    });
  });

  it('allow http for localhost, which browsers treat as secure, also in production', () => {
    expectAllowed(read('localhost', ['http://localhost:5173']), {
      'http://localhost:5173': true,
      'http://localhost:3000': false,
    });
  });

  it('allow the origin of the pages without listing it, and reject one of another domain', () => {
    const PAGES = 'https://api.example.com';
    const readWithPages = (rpId: string | undefined, origins: string[], origin = PAGES) =>
      toWebauthnSettings({ NODE_ENV: 'production', WEBAUTHN_RP_ID: rpId, WEBAUTHN_ORIGINS: origins }, origin);
    const listed = 'https://app.example.com';
    expectAllowed(readWithPages('example.com', [listed]), {
      [listed]: true,
      [PAGES]: true,
      'https://example.com': false,
    });
    expectAllowed(readWithPages('example.com', []), { [PAGES]: true, [listed]: false });
    expect(readWithPages(undefined, [])).to.equal(undefined);
    expect(() => readWithPages('example.com', [], 'https://api.example.org')).to.throw(
      ConfigError,
      'PUBLIC_URL: https://api.example.org is not of WEBAUTHN_RP_ID, example.com',
    );
  });

  it('replace the settings of development', () => {
    expectAllowed(read('example.com', ['https://example.com'], 'development'), {
      'http://localhost:5173': false,
      'https://example.com': true,
    });
  });

  for (const [rpId, origins] of [
    ['example.com', []],
    [undefined, ['https://example.com']],
  ] as const)
    it(`reject one variable without the other (${rpId ?? origins[0]})`, () => {
      expect(() => read(rpId, [...origins])).to.throw(
        ConfigError,
        'WEBAUTHN_RP_ID and WEBAUTHN_ORIGINS must be set together',
      );
    });

  it('reject an IP address as the domain', () => {
    expect(() => read('127.0.0.1', ['https://127.0.0.1'])).to.throw(
      ConfigError,
      'WEBAUTHN_RP_ID must be a domain, such as example.com',
    );
  });

  for (const [origin, problem] of [
    ['https://app.example.com/', 'is not an origin'],
    ['https://app.example.com/sign-in', 'is not an origin'],
    ['https://app.example.com:443', 'is not an origin'],
    ['https://APP.example.com', 'is not an origin'],
    ['app.example.com', 'is not an origin'],
    ['*', 'is not an origin'],
    ['http://app.example.com', 'must use https'],
    ['https://example.org', 'is not of WEBAUTHN_RP_ID, example.com'],
    ['http://127.0.0.1:3000', 'is not of WEBAUTHN_RP_ID, example.com'],
    ['https://badexample.com', 'is not of WEBAUTHN_RP_ID, example.com'],
    ['https://example.com.evil.org', 'is not of WEBAUTHN_RP_ID, example.com'],
  ] as const)
    it(`reject the origin ${origin}, and name it`, () => {
      expect(() => read('example.com', ['https://example.com', origin])).to.throw(
        ConfigError,
        `WEBAUTHN_ORIGINS: ${origin} ${problem}`,
      );
    });

  it('name every rejected origin', () => {
    expect(() => read('example.com', ['http://example.com', 'https://example.org'])).to.throw(
      /http:\/\/example\.com must use https; .*https:\/\/example\.org is not of/,
    );
  });
});
