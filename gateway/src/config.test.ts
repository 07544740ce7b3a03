import { ConfigError } from '@platform/shared/config/env';
import { expect } from 'chai';
import { readConfig } from './config.ts';

const DEVELOPMENT = {
  NODE_ENV: 'development',
  AUTH_SERVICE_URLS: 'http://127.0.0.1:3001',
  ADMIN_SERVICE_URLS: 'http://127.0.0.1:3002',
};

describe('gateway configuration', () => {
  it('requires only the two services in development', () => {
    const config = readConfig(DEVELOPMENT);
    expect(config.apiPort).to.deep.equal({ variable: 'GATEWAY_PORT', number: 3000 });
    expect(config.opsPort).to.deep.equal({ variable: 'GATEWAY_OPS_PORT', number: 9300 });
    expect(config.allowedOrigins).to.equal('loopback');
    expect(config.trustedProxyHops).to.equal(0);
    expect(config.upstreamTimeoutSeconds).to.equal(10);
  });

  it('has no development page by default, and rejects one in production', () => {
    expect(readConfig(DEVELOPMENT).developmentPageDir).to.equal(undefined);
    expect(readConfig({ ...DEVELOPMENT, DEVELOPMENT_PAGE_DIR: '/page' }).developmentPageDir).to.equal(
      '/page',
    );
    const production = { ...DEVELOPMENT, CORS_ORIGINS: 'https://a.example', REDIS_URL: 'redis://redis' };
    for (const NODE_ENV of ['production', undefined]) {
      expect(readConfig({ ...production, NODE_ENV }).developmentPageDir).to.equal(undefined);
      expect(() => readConfig({ ...production, NODE_ENV, DEVELOPMENT_PAGE_DIR: '/page' })).to.throw(
        ConfigError,
        'DEVELOPMENT_PAGE_DIR must not be set with NODE_ENV=production',
      );
    }
  });

  it('accepts several comma-separated instances', () => {
    const { upstreams } = readConfig({ ...DEVELOPMENT, AUTH_SERVICE_URLS: 'http://a:1, http://[::1]:2/' });
    expect(upstreams[0]?.urls).to.deep.equal(['http://a:1', 'http://[::1]:2/']);
  });

  it('requires origins in production and lists all missing variables', () => {
    for (const NODE_ENV of ['production', undefined])
      expect(() => readConfig({ NODE_ENV })).to.throw(
        ConfigError,
        /^(?=.*CORS_ORIGINS is required)(?=.*AUTH_SERVICE_URLS is required)(?=.*ADMIN_SERVICE_URLS is required)/,
      );
  });

  it('requires REDIS_URL in production, where several gateways share the route limits', () => {
    const production = { ...DEVELOPMENT, CORS_ORIGINS: 'https://a.example' };
    for (const NODE_ENV of ['production', undefined])
      expect(() => readConfig({ ...production, NODE_ENV })).to.throw(ConfigError, /^REDIS_URL is required/);
    expect(readConfig(DEVELOPMENT).redisUrl).to.equal(undefined);
  });

  it('sends HSTS for the host and its subdomains, for the host alone, or leaves it to a load balancer', () => {
    const read = (HSTS?: string) => {
      const environment = { ...DEVELOPMENT, ...(HSTS && { HSTS }) };
      return readConfig(environment).responseHeaders.get('Strict-Transport-Security');
    };
    expect(read()).to.equal('max-age=31536000; includeSubDomains');
    expect(read('subdomains')).to.equal(read());
    expect(read('host')).to.equal('max-age=31536000');
    expect(read('off')).to.equal(undefined);
  });

  it('keeps idle connections for 65 s, or for as long as a load balancer needs it', () => {
    expect(readConfig(DEVELOPMENT).keepAliveSeconds).to.equal(65);
    expect(readConfig({ ...DEVELOPMENT, KEEP_ALIVE_SECONDS: '620' }).keepAliveSeconds).to.equal(620);
  });

  it('serves only known hosts in development: this machine, and those of PUBLIC_URL and CORS_ORIGINS', () => {
    const urls = { PUBLIC_URL: 'https://accounts.test', CORS_ORIGINS: 'https://shop.test,https://www.test' };
    const { isKnownHost } = readConfig({ ...DEVELOPMENT, ...urls });
    const hosts = ['localhost:3000', 'accounts.test', 'shop.test', 'evil.example'];
    expect(hosts.map((host) => isKnownHost?.(host))).to.deep.equal([true, true, true, false]);
    const production = { ...DEVELOPMENT, ...urls, REDIS_URL: 'redis://redis', NODE_ENV: 'production' };
    expect(readConfig(production).isKnownHost).to.equal(undefined);
  });

  const values = (text: string) => text.split(' ');
  const INVALID: Record<string, string[]> = {
    GATEWAY_PORT: ['-1'],
    ADMIN_SERVICE_URLS: values(', https://auth:1 http://auth:1/api http://user@auth auth:1 http://auth?x=1'),
    CORS_ORIGINS: values(
      ', * null example.com https://example.com/ https://Example.com https://*.a.example ftp://a',
    ),
    TRUSTED_PROXY_HOPS: ['one'],
    UPSTREAM_TIMEOUT_SECONDS: ['0'],
    REDIS_URL: ['http://redis'],
    RATE_LIMIT_SCALE: ['0'],
    KEEP_ALIVE_SECONDS: values('4 3601 65s'),
    HSTS: values('on includeSubDomains'),
  };
  for (const [name, invalid] of Object.entries(INVALID))
    it(`rejects invalid values of ${name}`, () => {
      for (const value of invalid)
        expect(() => readConfig({ ...DEVELOPMENT, [name]: value }), value).to.throw(
          ConfigError,
          new RegExp(`^${name} `),
        );
    });
});
