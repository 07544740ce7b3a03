import { isFullyReady } from '@platform/dev/ports';
import { type FakeSmtpServer, startFakeSmtpServer } from '@platform/dev/testing/fake-smtp-server';
import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { createCertificates, hasOpenssl } from '@platform/shared/testing/certificates';
import type { Device } from '@platform/shared/testing/device';
import { waitFor } from '@platform/shared/testing/poll';
import { type ServiceName, startService } from '@platform/shared/testing/process';
import { startSentinels } from '@platform/shared/testing/redis-sentinels';
import { hasRedisServer, startRedis, startReplica } from '@platform/shared/testing/redis-server';
import { createTestDatabase, type TestDatabase, withLoginOf } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { hasPgbouncer, startPgbouncer } from './pgbouncer.ts';

type RedisVariables = { REDIS_URL: string; NODE_EXTRA_CA_CERTS?: string };

const secret = (name: string): string => `${name}-of-the-engine-tests-0123456789`;
const SECRETS = Object.fromEntries(
  ['CUSTOMER', 'EMPLOYEE', 'ADMIN'].flatMap((kind) =>
    ['ACCESS', 'REFRESH'].map((use) => [`JWT_${kind}_${use}_SECRET_KEY`, secret(`${kind}-${use}`)]),
  ),
);
const AUTH_VARIABLES = {
  ...SECRETS,
  SECOND_FACTOR_KEY: secret('second-factor'),
  ADMIN_ALLOWED_DOMAINS: 'example.com',
  AUTH_API_PORT: '0',
  AUTH_OPS_PORT: '0',
  NODE_ENV: 'test',
  BCRYPT_COST: '4',
};
const WORKER_VARIABLES = {
  WORKER_OPS_PORT: '0',
  SMTP_REQUIRE_TLS: 'false',
  MAIL_FROM: 'Platform <no-reply@example.com>',
};
const ACCOUNT = 'platform:secret%40word';
/** The rights that docs/scaling.md lists. */
const ACL = 'user platform on >secret@word ~* +@all -@admin -@dangerous +info';

describe('engines', () => {
  let database: TestDatabase;
  /** In the test of PgBouncer, this URL leads through it. */
  let databaseUrl: string;
  let smtp: FakeSmtpServer;
  const cleanups: (() => unknown)[] = [];
  before('start Postgres and SMTP', async function () {
    if (!hasRedisServer()) this.skip();
    [database, smtp] = [await createTestDatabase(), await startFakeSmtpServer()];
    databaseUrl = database.url;
  });
  after('stop them', async () => {
    await smtp?.stop();
    await database?.drop();
  });
  afterEach('stop the processes and the engine', async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
  const keep = <Engine extends { stop: () => unknown }>(engine: Engine): Engine => {
    cleanups.push(engine.stop);
    return engine;
  };

  const start = async (name: ServiceName, login: 'auth' | 'worker', variables: Record<string, string>) => {
    const service = startService(name, {
      CODE_SECRET_KEY: secret('code'),
      DATABASE_URL: await withLoginOf(login, databaseUrl),
      DRAIN_SECONDS: '0',
      ...variables,
    });
    cleanups.push(async () => {
      service.kill();
      await service.waitForExit();
    });
    const { url, opsUrl } = await service.listening();
    await waitFor(`${name} is ready`, () => isFullyReady(opsUrl));
    return { url, output: service.output };
  };

  /** Starts auth-service and mailer-worker as processes. */
  const startPlatform = async (redis: RedisVariables) => {
    const auth = await start('auth-service', 'auth', { ...AUTH_VARIABLES, ...redis });
    const worker = await start('mailer-worker', 'worker', {
      ...WORKER_VARIABLES,
      SMTP_URL: smtp.url,
      ...redis,
    });
    const client = createAuthClient(auth.url, CUSTOMER);
    const waitForCode = (email: string): Promise<string> =>
      waitFor(`a code for ${email}`, () => {
        const mail = smtp.mails().find(({ to }) => to.includes(email));
        return mail && /\b\d{6}\b/.exec(mail.text)?.[0];
      });
    const signUp = async (): Promise<{ email: string; device: Device }> => {
      const account = await client.createAccount();
      return { email: account.email, device: await client.openDevice(account) };
    };
    const output = () => auth.output() + worker.output();
    return { client, signUp, waitForCode, output };
  };

  /** Signs in, requests a code by mail, and verifies the address with it. */
  const expectJourney = async (redis: RedisVariables): Promise<string> => {
    const { client, signUp, waitForCode, output } = await startPlatform(redis);
    const { email, device } = await signUp();
    const sent = await client.verificationEmailCode(device);
    expect(sent.status, sent.text).to.equal(200);
    const code = await waitForCode(email);
    expect((await client.verificationEmailCodeCheck({ ...device, body: { code } })).status).to.equal(200);
    expect((await client.verificationEmailCheck(device)).body).to.deep.equal({ verified: true });
    return output();
  };

  it('works with a PostgreSQL behind PgBouncer', async function () {
    if (!hasPgbouncer()) this.skip();
    const logins = [await withLoginOf('auth', database.url), await withLoginOf('worker', database.url)];
    databaseUrl = keep(await startPgbouncer(database.url, logins)).url;
    cleanups.push(() => {
      databaseUrl = database.url;
    });
    await expectJourney({ REDIS_URL: keep(await startRedis()).url });
  });

  it('works as a user without admin commands', async () => {
    const redis = keep(await startRedis({ account: ACCOUNT, settings: [ACL, 'user default off'] }));
    const output = await expectJourney({ REDIS_URL: redis.url });
    // Eviction is off, and the user has the right to read this setting.
    expect(output).not.to.match(/NOPERM|maxmemory-policy/);
  });

  it('works with TLS and a private CA', async function () {
    if (!hasOpenssl()) this.skip();
    const tls = await createCertificates();
    cleanups.push(tls.remove);
    const redis = keep(await startRedis({ tls }));
    await expectJourney({ REDIS_URL: redis.url, NODE_EXTRA_CA_CERTS: tls.ca });
  });

  it('works behind Sentinels that need a password, as a user with TLS', async function () {
    if (!hasOpenssl()) this.skip();
    const tls = await createCertificates();
    cleanups.push(tls.remove);
    const replication = ['masterauth replicate', 'requirepass replicate'];
    const settings = [ACL, ...replication];
    const primary = keep(await startRedis({ tls, account: 'default:replicate', settings }));
    keep(await startReplica(primary, { tls, account: 'default:replicate', settings }));
    const sentinels = keep(
      await startSentinels(primary, {
        tls,
        account: 'default:watch',
        settings: ['sentinel auth-pass mymaster replicate', 'requirepass watch'],
      }),
    );
    const url = sentinels.url.replace('default:watch@', `${ACCOUNT}@`);
    await expectJourney({ REDIS_URL: `${url}?sentinelPassword=watch`, NODE_EXTRA_CA_CERTS: tls.ca });
  });

  for (const fault of ['kill', 'freeze'] as const)
    it(`sends every accepted code after a failover of Sentinel (${fault})`, async () => {
      const primary = keep(await startRedis());
      keep(await startReplica(primary));
      const sentinels = keep(await startSentinels(primary));
      const { client, signUp, waitForCode } = await startPlatform({ REDIS_URL: sentinels.url });
      const accounts = await Promise.all(Array.from({ length: 40 }, signUp));
      const accepted: string[] = [];
      const request = async ({ email, device }: (typeof accounts)[number]): Promise<boolean> => {
        const { status } = await client.verificationEmailCode(device);
        if (status === 200) accepted.push(email);
        return status === 200;
      };
      const burst = Promise.all(accounts.slice(1).map(request));
      await waitFor('some codes are accepted', () => accepted.length > 5);
      await (fault === 'kill' ? primary.kill() : primary.freeze());
      await burst;
      const [first] = accounts;
      if (!first) throw new Error('There are accounts');
      await waitFor('codes are accepted again', () => request(first));
      for (const email of accepted) await waitForCode(email);
    });
});
