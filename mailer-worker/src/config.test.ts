import { ConfigError } from '@platform/shared/config/env';
import { expect } from 'chai';
import { readConfig } from './config.ts';

const LEAST = {
  DATABASE_URL: 'postgresql://me@localhost/platform',
  REDIS_URL: 'redis://localhost',
  SMTP_URL: 'smtps://user:password@mail.example',
  MAIL_FROM: 'Platform <no-reply@platform.example>',
  CODE_SECRET_KEY: 'a-secret-of-the-tests-000000000000000001',
};

describe('The configuration of the worker', () => {
  it('When the least is given, then the documented defaults hold, and mail needs TLS', () => {
    const config = readConfig(LEAST);
    expect(config).to.include({ mailConcurrency: 5, mailRatePerSecond: 0, cleanupTimeZone: 'UTC' });
    expect(config.opsPort).to.deep.equal({ variable: 'WORKER_OPS_PORT', number: 9303 });
    expect(config.smtp).to.deep.equal({
      url: LEAST.SMTP_URL,
      requireTls: true,
      from: LEAST.MAIL_FROM,
      maxConnections: 5,
    });
  });

  it('When nothing is given, then one message names everything that is missing', () => {
    expect(() => readConfig({})).to.throw(
      ConfigError,
      /DATABASE_URL.*REDIS_URL.*SMTP_URL.*MAIL_FROM.*CODE_SECRET_KEY/,
    );
  });

  it('When values are wrong, then one message names them all, and shows no secret', () => {
    const wrong = {
      ...LEAST,
      CODE_SECRET_KEY: 'too short',
      CLEANUP_TZ: 'Mars/Phobos',
      MAIL_CONCURRENCY: '0',
      MAIL_RATE_PER_SECOND: '-1',
      SMTP_REQUIRE_TLS: 'perhaps',
    };
    expect(() => readConfig(wrong))
      .to.throw(
        ConfigError,
        /SMTP_REQUIRE_TLS.*MAIL_CONCURRENCY.*MAIL_RATE_PER_SECOND.*CODE_SECRET_KEY.*CLEANUP_TZ/,
      )
      .with.property('message')
      .that.does.not.include('too short');
  });

  it('When CLEANUP_TZ is a time zone, then it is taken', () => {
    for (const timeZone of ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/New_York'])
      expect(readConfig({ ...LEAST, CLEANUP_TZ: timeZone }).cleanupTimeZone).to.equal(timeZone);
  });
});
