import { ConfigError } from '@platform/shared/config/env';
import { expect } from 'chai';
import { readConfig } from './config.ts';

const SECRETS = [
  'JWT_CUSTOMER_ACCESS_SECRET_KEY',
  'JWT_CUSTOMER_REFRESH_SECRET_KEY',
  'JWT_EMPLOYEE_ACCESS_SECRET_KEY',
  'JWT_EMPLOYEE_REFRESH_SECRET_KEY',
  'JWT_ADMIN_ACCESS_SECRET_KEY',
  'JWT_ADMIN_REFRESH_SECRET_KEY',
  'CODE_SECRET_KEY',
  'SECOND_FACTOR_KEY',
];

const COMPLETE: Record<string, string> = {
  DATABASE_URL: 'postgres://localhost/platform',
  REDIS_URL: 'redis://localhost',
  ADMIN_ALLOWED_DOMAINS: 'example.com',
  ...Object.fromEntries(SECRETS.map((name) => [name, `${name} of at least 32 characters`])),
};

const getConfigError = (environment: Record<string, string>): string => {
  try {
    readConfig(environment);
  } catch (error) {
    expect(error).to.be.instanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error('readConfig accepted the configuration');
};

describe('auth-service configuration', () => {
  it('has defaults for all variables except addresses, secrets and domains', () => {
    const config = readConfig(COMPLETE);
    expect(config).to.deep.include({
      host: '127.0.0.1',
      apiPort: { variable: 'AUTH_API_PORT', number: 3001 },
      opsPort: { variable: 'AUTH_OPS_PORT', number: 9301 },
      bcryptCost: 12,
      reuseLeewaySeconds: 10,
      isBootstrapOpen: true,
      validateResponses: false,
      secondFactorRequiredFor: [],
      webauthn: undefined,
      offersEmailCodes: true,
      newDeviceCode: false,
      newDeviceNotice: false,
      breachedPasswordsUrl: undefined,
      productName: 'Marketplace',
    });
    for (const { accessSeconds, refreshSeconds } of Object.values(config.tokens))
      expect({ accessSeconds, refreshSeconds }).to.deep.equal({
        accessSeconds: 3_600,
        refreshSeconds: 7_200,
      });
  });

  it('names all missing variables in one message', () => {
    const message = getConfigError({});
    for (const name of Object.keys(COMPLETE)) expect(message).to.include(`${name} is required`);
  });

  it('names all secrets of fewer than 32 characters, together with missing variables', () => {
    const { DATABASE_URL: _url, ...others } = COMPLETE;
    const short = Object.fromEntries(SECRETS.map((name) => [name, name.padEnd(31).slice(0, 31)]));
    const message = getConfigError({ ...others, ...short });
    for (const name of SECRETS) expect(message).to.match(new RegExp(`${name}.*32 characters`));
    expect(message).to.include('DATABASE_URL is required');
    const enough = Object.fromEntries(SECRETS.map((name) => [name, name.padEnd(32).slice(-32)]));
    expect(() => readConfig({ ...COMPLETE, ...enough })).not.to.throw();
  });

  it('names all secrets that equal another', () => {
    const secret = 'the same secret, long as it may be';
    for (const first of SECRETS)
      for (const second of SECRETS.filter((name) => name !== first)) {
        const message = getConfigError({ ...COMPLETE, [first]: secret, [second]: secret });
        expect(message).to.include(first).and.include(second);
        for (const other of SECRETS.filter((name) => name !== first && name !== second))
          expect(message).not.to.include(other);
      }
  });

  it('names invalid variables of every kind in one message', () => {
    const { DATABASE_URL: _url, SECOND_FACTOR_KEY: _key, ...others } = COMPLETE;
    const message = getConfigError({
      ...others,
      NODE_ENV: 'production',
      BCRYPT_COST: '4',
      CODE_SECRET_KEY: 'change-me '.repeat(4),
      QUEUE_REDIS_URL: 'redis://one:1,two:2',
      WEBAUTHN_RP_ID: 'example.com',
      OIDC_PROVIDERS: 'a,b',
      OIDC_A_ISSUER: 'http://a.example',
    });
    const names = ['DATABASE_URL', 'SECOND_FACTOR_KEY', 'BCRYPT_COST', 'CODE_SECRET_KEY', 'QUEUE_REDIS_URL'];
    names.push('WEBAUTHN_ORIGINS', 'OIDC_A_ISSUER', 'OIDC_B_ISSUER', 'OIDC_REDIRECT_URIS');
    for (const name of names) expect(message).to.include(name);
  });

  it('never shows a secret', () => {
    const short = 'far too short';
    expect(getConfigError({ ...COMPLETE, CODE_SECRET_KEY: short })).not.to.include(short);
  });

  for (const lifetime of ['15m', '3600s', 'NaN'])
    it(`falls back to 3600 and 7200 seconds for the lifetime "${lifetime}", with a warning for each`, () => {
      const lifetimes = Object.fromEntries(
        ['CUSTOMER', 'EMPLOYEE', 'ADMIN'].flatMap((kind) => [
          [`JWT_${kind}_ACCESS_EXPIRES_IN`, lifetime],
          [`JWT_${kind}_REFRESH_EXPIRES_IN`, lifetime],
        ]),
      );
      const { tokens, warnings } = readConfig({ ...COMPLETE, ...lifetimes });
      for (const { accessSeconds, refreshSeconds } of Object.values(tokens))
        expect([accessSeconds, refreshSeconds]).to.deep.equal([3_600, 7_200]);
      expect(warnings).to.have.members(
        Object.keys(lifetimes).map(
          (name) =>
            `${name}: "${lifetime}" is not a number, so the lifetime is ${name.includes('ACCESS') ? 3_600 : 7_200} s`,
        ),
      );
    });

  it('has separate lifetimes for each kind', () => {
    const { tokens, warnings } = readConfig({
      ...COMPLETE,
      JWT_CUSTOMER_ACCESS_EXPIRES_IN: '60',
      JWT_EMPLOYEE_REFRESH_EXPIRES_IN: '86400',
    });
    expect(warnings).to.deep.equal([]);
    expect(tokens.customer).to.include({ accessSeconds: 60, refreshSeconds: 7_200 });
    expect(tokens.employee).to.include({ accessSeconds: 3_600, refreshSeconds: 86_400 });
  });

  for (const [name, value] of [
    ['AUTH_API_PORT', '65536'],
    ['BCRYPT_COST', '9'],
    ['BCRYPT_COST', '17'],
    ['BCRYPT_COST', 'high'],
    ['REFRESH_REUSE_LEEWAY_SECONDS', '-1'],
    ['BOT_CHECK_COST', '999'],
    ['BOT_CHECK_COST', '50001'],
    ['PASSWORD_QUEUE_LIMIT', '0'],
    ['ADMIN_PROOF_SECONDS', '-1'],
    ['ADMIN_PROOF_SECONDS', '15m'],
    ['DATABASE_URL', 'not a URL'],
    ['NODE_ENV', 'prod'],
    ['ADMIN_REGISTRATION', 'perhaps'],
    ['ADMIN_ALLOWED_DOMAINS', ','],
    ['ADMIN_ALLOWED_DOMAINS', '*.example.com'],
    ['SECOND_FACTOR_REQUIRED_FOR', 'ADMIN,CUSTOMER'],
    ['SECOND_FACTOR_REQUIRED_FOR', 'admin'],
    ['NEW_DEVICE_NOTICE', 'true'],
    ['NEW_DEVICE_CODE', 'yes'],
    ['EMAIL_CODE_SIGN_IN', 'false'],
    ['JWT_CUSTOMER_STAY_EXPIRES_IN', '-1'],
    ['JWT_EMPLOYEE_STAY_EXPIRES_IN', '30d'],
    ['BREACHED_PASSWORDS_URL', 'passwords.example.com'],
    ['BREACHED_PASSWORDS_URL', 'ftp://passwords.example.com'],
    ['BREACHED_PASSWORDS_URL', 'http://passwords.example.com'],
    ['JWT_CUSTOMER_ACCESS_EXPIRES_IN', '0'],
    ['JWT_ADMIN_REFRESH_EXPIRES_IN', '-5'],
    ['SESSION_MAX_AGE', '15m'],
    ['WEBAUTHN_RP_ID', 'example.com'],
    ['WEBAUTHN_ORIGINS', 'https://example.com'],
    ['PRODUCT_NAME', 'M'.repeat(61)],
    ['PRODUCT_NAME', 'Market\nplace'],
  ] as const)
    it(`rejects ${name}=${value} and names it`, () => {
      expect(getConfigError({ ...COMPLETE, [name]: value })).to.include(name);
    });

  it('accepts cheap hashes outside production, and a local API of breached passwords everywhere', () => {
    const development = { ...COMPLETE, NODE_ENV: 'development', BCRYPT_COST: '4' };
    const remote = { BREACHED_PASSWORDS_URL: 'http://passwords.example.com' };
    expect(readConfig({ ...development, ...remote }).bcryptCost).to.equal(4);
    expect(getConfigError({ ...development, BCRYPT_COST: '3' })).to.include('BCRYPT_COST');
    const local = { BREACHED_PASSWORDS_URL: 'http://127.0.0.1:8080', BCRYPT_COST: '10' };
    expect(readConfig({ ...COMPLETE, ...local }).bcryptCost).to.equal(10);
    expect(getConfigError({ ...COMPLETE, ...remote, BCRYPT_COST: '4' })).to.equal(
      'BCRYPT_COST must be at least 10; BREACHED_PASSWORDS_URL must use https with NODE_ENV=production',
    );
  });

  it('reads the settings of second factors and passkeys', () => {
    const config = readConfig({
      ...COMPLETE,
      SECOND_FACTOR_KEY_PREVIOUS: 'former key 0123456789-abcdefghij, former key 9876543210-jihgfedcba',
      SECOND_FACTOR_REQUIRED_FOR: ' ADMIN, OPERATOR ,',
      WEBAUTHN_RP_ID: 'example.com',
      WEBAUTHN_ORIGINS: 'https://app.example.com, https://example.com',
      NEW_DEVICE_NOTICE: 'on',
      BREACHED_PASSWORDS_URL: 'https://passwords.example.com/range/',
    });
    expect(config).to.deep.include({
      secondFactorRequiredFor: ['ADMIN', 'OPERATOR'],
      newDeviceNotice: true,
      breachedPasswordsUrl: 'https://passwords.example.com/range',
    });
    expect(config.webauthn?.rpId).to.equal('example.com');
    expect(config.webauthn?.isAllowedOrigin('https://example.com')).to.equal(true);
    expect(config.secondFactorKey).to.deep.equal({
      current: COMPLETE['SECOND_FACTOR_KEY'],
      previous: ['former key 0123456789-abcdefghij', 'former key 9876543210-jihgfedcba'],
    });
  });

  it('uses QUEUE_REDIS_URL for the mail queue, and REDIS_URL without it', () => {
    const [REDIS_URL, QUEUE_REDIS_URL] = ['redis+sentinel://one/mymaster', 'redis://two'];
    expect(readConfig({ ...COMPLETE, REDIS_URL }).queueRedisUrl).to.equal(REDIS_URL);
    expect(readConfig({ ...COMPLETE, REDIS_URL, QUEUE_REDIS_URL }).queueRedisUrl).to.equal(QUEUE_REDIS_URL);
  });
});
