import { join } from 'node:path';
import { expect } from 'chai';
import { listWarnings, readStackConfig } from './config.ts';

describe('development stack configuration', () => {
  it('uses the documented defaults', () => {
    const config = readStackConfig({});
    expect(config.ports).to.deep.equal({
      gateway: 3000,
      auth: 3001,
      admin: 3002,
      inbox: 8025,
      oidc: 8026,
      gatewayOps: 0,
      authOps: 0,
      adminOps: 0,
      workerOps: 0,
    });
    expect(readStackConfig({ GATEWAY_OPS_PORT: '9300' }).ports.gatewayOps).to.equal(9300);
    expect(config.dataDir).to.equal(join(config.root, '.data'));
    expect(config.seed).to.deep.equal({ enabled: true, password: 'Password123!', bcryptCost: 12 });
    expect(config.external).to.deep.equal({
      databaseUrl: undefined,
      processUrls: {},
      redisUrl: undefined,
      smtpUrl: undefined,
    });
    expect(config.host).to.equal('127.0.0.1');
  });

  it('accepts the URLs of external servers', () => {
    const external = {
      DATABASE_URL: 'postgresql://me@db.internal/shop',
      REDIS_URL: 'rediss://cache.internal',
      SMTP_URL: 'smtp://127.0.0.1:25',
    };
    expect(readStackConfig(external).external).to.deep.equal({
      databaseUrl: external.DATABASE_URL,
      redisUrl: external.REDIS_URL,
      smtpUrl: external.SMTP_URL,
      processUrls: {},
    });
  });

  it('accepts Sentinels, and names the problem of an invalid Redis URL', () => {
    const REDIS_URL = 'redis+sentinel://a:1,b:2/mymaster';
    expect(readStackConfig({ REDIS_URL }).external.redisUrl).to.equal(REDIS_URL);
    expect(() => readStackConfig({ REDIS_URL: 'redis+sentinel://a:1' })).to.throw(
      /REDIS_URL must end with the name/,
    );
  });

  it('accepts a database URL per process only along with that of the owner', () => {
    const own = {
      AUTH_DATABASE_URL: 'postgres://auth_service:secret@db.internal/shop',
      WORKER_DATABASE_URL: '',
    };
    const owner = { DATABASE_URL: 'postgres://me@db.internal/shop' };
    expect(readStackConfig({ ...owner, ...own }).external.processUrls).to.deep.equal({
      auth: own.AUTH_DATABASE_URL,
    });
    expect(() => readStackConfig(own)).to.throw(/AUTH_DATABASE_URL.* need DATABASE_URL/);
  });

  it('names all invalid variables in one message', () => {
    const env = { GATEWAY_PORT: 'http', INBOX_PORT: '65536', SMTP_URL: 'mail.internal', BCRYPT_COST: '17' };
    expect(() => readStackConfig(env)).to.throw(/GATEWAY_PORT.*INBOX_PORT.*SMTP_URL.*BCRYPT_COST/s);
  });

  it('names a wrong variable together with one that lacks another one', () => {
    const env = {
      GATEWAY_PORT: 'http',
      AUTH_DATABASE_URL: 'postgres://auth_service:secret@db.internal/shop',
    };
    expect(() => readStackConfig(env)).to.throw(/GATEWAY_PORT.*AUTH_DATABASE_URL.* need DATABASE_URL/s);
  });

  it('warns of the misspelt name of one of its variables', () => {
    const warnings = listWarnings(readStackConfig({ SEED_DEMOS: 'off' }), { first: 1, last: 1 });
    expect(warnings).to.deep.equal(['SEED_DEMOS is not a setting; is it SEED_DEMO?']);
  });

  it('disables the demo data with SEED_DEMO=off', () => {
    expect(readStackConfig({ SEED_DEMO: 'off' }).seed.enabled).to.equal(false);
    expect(readStackConfig({ SEED_DEMO: 'on' }).seed.enabled).to.equal(true);
    expect(() => readStackConfig({ SEED_DEMO: 'false' })).to.throw(/SEED_DEMO.*on.*off/);
  });

  it('does not read HOST, which conda and shells set', () => {
    const { host, listenHost } = readStackConfig({ HOST: 'x86_64-conda-linux-gnu' });
    expect([host, listenHost]).to.deep.equal(['127.0.0.1', '127.0.0.1']);
    expect(readStackConfig({ LISTEN_HOST: '0.0.0.0' })).to.include({
      listenHost: '0.0.0.0',
      host: '127.0.0.1',
    });
  });

  it('warns of ports that outgoing connections may occupy, and says what NODE_ENV=production is for', () => {
    const warn = (env: NodeJS.ProcessEnv) =>
      listWarnings(readStackConfig(env), { first: 32_768, last: 60_999 });
    expect(warn({})).to.deep.equal([]);
    const [warning, ...others] = warn({ GATEWAY_PORT: '32768', INBOX_PORT: '61000', AUTH_OPS_PORT: '0' });
    expect(warning).to.match(/^GATEWAY_PORT=32768: .* 32768 to 60999 /);
    expect(others).to.deep.equal([]);
    expect(warn({ NODE_ENV: 'production' }).join()).to.match(/^NODE_ENV=production tries .*CORS_ORIGINS/);
  });
});
