import { ConfigError } from '@platform/shared/config/env';
import { expect } from 'chai';
import { readConfig } from './config.ts';

const REQUIRED = {
  DATABASE_URL: 'postgresql://me@localhost/platform',
  REDIS_URL: 'redis://localhost',
  SMTP_URL: 'smtps://user:password@mail.example',
  MAIL_FROM: 'Platform <no-reply@platform.example>',
  CODE_SECRET_KEY: 'a-secret-of-the-tests-000000000000000001',
};

describe('mailer-worker configuration', () => {
  it('has the documented defaults and requires TLS for mail', () => {
    const config = readConfig(REQUIRED);
    expect(config).to.include({ mailConcurrency: 5, mailRatePerSecond: 0, cleanupTimeZone: 'UTC' });
    expect(config.productName).to.equal('Marketplace');
    expect(config.support).to.equal(undefined);
    expect(config.opsPort).to.deep.equal({ variable: 'WORKER_OPS_PORT', number: 9303 });
    expect(config.smtp).to.deep.equal({
      url: REQUIRED.SMTP_URL,
      requireTls: true,
      from: REQUIRED.MAIL_FROM,
      senderName: 'Marketplace',
      maxConnections: 6,
      logo: undefined,
      darkLogo: undefined,
    });
  });

  it('names all missing variables in one error message', () => {
    expect(() => readConfig({})).to.throw(
      ConfigError,
      /DATABASE_URL.*REDIS_URL.*SMTP_URL.*MAIL_FROM.*CODE_SECRET_KEY/,
    );
  });

  it('names all invalid variables in one error message without secrets', () => {
    const invalid = {
      ...REQUIRED,
      CODE_SECRET_KEY: 'too short',
      CLEANUP_TZ: 'Mars/Phobos',
      MAIL_CONCURRENCY: '0',
      MAIL_RATE_PER_SECOND: '-1',
      SMTP_REQUIRE_TLS: 'perhaps',
    };
    expect(() => readConfig(invalid))
      .to.throw(
        ConfigError,
        /SMTP_REQUIRE_TLS.*MAIL_CONCURRENCY.*MAIL_RATE_PER_SECOND.*CODE_SECRET_KEY.*CLEANUP_TZ/,
      )
      .with.property('message')
      .that.does.not.include('too short');
  });

  for (const [name, value] of [
    ['SMTP_URL', 'http://mail.example'],
    ['SMTP_URL', 'smtp:mail.example'],
    ['MAIL_FROM', 'nobody'],
    ['MAIL_FROM', 'Platform <nobody>'],
    ['AUDIT_RETENTION_DAYS', ' '],
  ] as const)
    it(`rejects ${name}=${value} and names it`, () => {
      expect(() => readConfig({ ...REQUIRED, [name]: value })).to.throw(
        ConfigError,
        new RegExp(`^${name} must `),
      );
    });

  it('accepts IANA time zones in CLEANUP_TZ', () => {
    for (const timeZone of ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/New_York'])
      expect(readConfig({ ...REQUIRED, CLEANUP_TZ: timeZone }).cleanupTimeZone).to.equal(timeZone);
  });

  it('accepts a PRODUCT_NAME of 1 to 60 characters without line breaks', () => {
    for (const name of ['M', 'Müller & Söhne', '市場', '🚀'.repeat(60)]) {
      const { productName, smtp } = readConfig({ ...REQUIRED, PRODUCT_NAME: name });
      expect([productName, smtp.senderName]).to.deep.equal([name, name]);
    }
    for (const name of [' ', 'x'.repeat(61), 'Market\nplace', 'Market\rplace', 'a\u2028b', 'a\u0000b'])
      expect(() => readConfig({ ...REQUIRED, PRODUCT_NAME: name }), JSON.stringify(name)).to.throw(
        ConfigError,
        /PRODUCT_NAME.*1 to 60 characters/,
      );
  });

  it('accepts an e-mail address of the support', () => {
    const SUPPORT_EMAIL = 'support@example.com';
    expect(readConfig({ ...REQUIRED, SUPPORT_EMAIL }).support).to.equal(SUPPORT_EMAIL);
    for (const email of ['support', 'Support <support@example.com>', 'a@b.example, c@d.example'])
      expect(() => readConfig({ ...REQUIRED, SUPPORT_EMAIL: email }), email).to.throw(
        ConfigError,
        /SUPPORT_EMAIL/,
      );
  });

  it('links only the pages that the gateway serves', () => {
    const PUBLIC_URL = 'https://app.example.com';
    const read = (env: object) => readConfig({ ...REQUIRED, PUBLIC_URL, ...env }).pages;
    const [accountUrl, consoleUrl] = [`${PUBLIC_URL}/account`, `${PUBLIC_URL}/console`];
    const none = { accountUrl: undefined, consoleUrl: undefined };
    expect(read({ PAGES: 'on' })).to.deep.equal({ accountUrl, consoleUrl });
    expect(read({ PAGES: 'account' })).to.deep.equal({ ...none, accountUrl });
    expect(read({ PAGES: 'console' })).to.deep.equal({ ...none, consoleUrl });
    expect(read({ PAGES: 'off' })).to.deep.equal(none);
    expect(read({ PAGES: 'on', NODE_ENV: 'development', PUBLIC_URL: undefined })).to.deep.equal(none);
  });

  it('warns in production where mails may go to the test inbox, without the password of the URL', () => {
    const read = (env: object) => readConfig({ ...REQUIRED, NODE_ENV: 'production', ...env }).warnings;
    const inbox = { SMTP_URL: 'smtp://user:secret@mailpit:1025', SMTP_REQUIRE_TLS: 'false' };
    expect(read(inbox)).to.have.length(1);
    expect(read(inbox)[0]).to.include('mails go unencrypted to mailpit:1025').and.not.include('secret');
    for (const other of [
      { ...inbox, NODE_ENV: 'development' },
      { ...inbox, SMTP_REQUIRE_TLS: 'true' },
      { ...inbox, SMTP_URL: 'smtps://mail.example.com' },
    ])
      expect(read(other), JSON.stringify(other)).to.deep.equal([]);
  });

  it('uses QUEUE_REDIS_URL for the mail queue, and REDIS_URL without it', () => {
    const [REDIS_URL, QUEUE_REDIS_URL] = ['redis+sentinel://one/mymaster', 'redis://two'];
    expect(readConfig({ ...REQUIRED, REDIS_URL }).queueRedisUrl).to.equal(REDIS_URL);
    expect(readConfig({ ...REQUIRED, REDIS_URL, QUEUE_REDIS_URL }).queueRedisUrl).to.equal(QUEUE_REDIS_URL);
  });
});
