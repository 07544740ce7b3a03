import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadSecrets } from './data-dir.ts';
import { listSettingWarnings, planServices } from './services.ts';
import { useTemporaryDirectory } from './testing/temporary-directory.ts';

const url = (port: number) => `http://127.0.0.1:${port}`;

const DATABASE_URL = 'postgresql://owner@db.internal/shop';

const addresses = {
  gatewayUrl: url(1),
  authUrl: url(2),
  adminUrl: url(3),
  databaseUrl: DATABASE_URL,
  databaseUrls: { auth: DATABASE_URL, admin: DATABASE_URL, worker: DATABASE_URL },
  redisUrl: 'redis://cache.internal',
  smtpUrl: 'smtp://mail.internal',
  opsUrls: { gateway: url(4), auth: url(5), admin: url(6), worker: url(7) },
};

describe('services of the development stack', () => {
  const directory = useTemporaryDirectory();
  const plan = (env: NodeJS.ProcessEnv) => {
    const config = { root: '/', dataDir: directory.path, stopSeconds: 1 };
    return planServices(config, addresses, loadSecrets(directory.path), env);
  };
  const readAuthEnv = (env: NodeJS.ProcessEnv) => plan(env).auth.command.env;

  it('get the same key for the bot check, which therefore needs no setting but BOT_CHECK', () => {
    const { auth, admin } = plan({ BOT_CHECK: 'altcha' });
    const { BOT_CHECK_KEY } = auth.command.env;
    expect(BOT_CHECK_KEY).to.be.a('string').and.equal(admin.command.env['BOT_CHECK_KEY']);
    expect(BOT_CHECK_KEY).to.have.length.of.at.least(32);
  });

  it('are not named as late while one that they need is', () => {
    expect(plan({}).gateway.waitsFor).to.deep.equal(['auth-service', 'admin-service']);
  });

  it('have their warnings about ignored settings shown once', () => {
    const logFile = join(directory.path, 'service.log');
    const warning = {
      level: 'warn',
      setting: true,
      msg: 'CORS_ORIGIN is not a setting; is it CORS_ORIGINS?',
    };
    const lines = [{ level: 'info', msg: 'starting' }, warning, warning];
    writeFileSync(logFile, `(node:1) Warning\n${lines.map((line) => `${JSON.stringify(line)}\n`).join('')}`);
    expect(listSettingWarnings([logFile])).to.deep.equal([warning.msg]);
  });

  it('get secrets as files instead of the generated ones', () => {
    const files = { CODE_SECRET_KEY_FILE: '/code', SECOND_FACTOR_KEY_FILE: '/factor' };
    expect(readAuthEnv(files)).to.include(files).and.to.have.property('JWT_ADMIN_ACCESS_SECRET_KEY');
    expect(readAuthEnv(files)).not.to.have.any.keys('CODE_SECRET_KEY', 'SECOND_FACTOR_KEY');
  });

  it('get the URLs of the stack without the files that it has read them from', () => {
    const files = { DATABASE_URL_FILE: '/database', REDIS_URL_FILE: '/redis' };
    expect(readAuthEnv(files))
      .to.include({ DATABASE_URL, REDIS_URL: addresses.redisUrl })
      .and.not.to.have.any.keys(...Object.keys(files));
  });
});
