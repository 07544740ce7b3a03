import { type FakeSmtpServer, startFakeSmtpServer } from '@platform/dev/testing/fake-smtp-server';
import { startTestValkey } from '@platform/dev/testing/test-valkey';
import { createMailQueue } from '@platform/shared/platform/mail/mail-queue';
import { connectRedis } from '@platform/shared/redis/redis';
import { waitFor } from '@platform/shared/testing/poll';
import { startService } from '@platform/shared/testing/process';
import { runRedisCommand } from '@platform/shared/testing/redis-server';
import { createTestDatabase, type TestDatabase, withLoginOf } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { cipher, noticeMail } from '../../testing/mail-fixture.ts';
import { WORKER_ENVIRONMENT } from '../../testing/test-worker.ts';

const WATCHED_SECONDS = 5;

describe('worker started while Redis rejects writes', () => {
  let database: TestDatabase;
  let smtp: FakeSmtpServer;
  const cleanups: (() => unknown)[] = [];
  before('start Postgres and SMTP', async () => {
    [database, smtp] = [await createTestDatabase(), await startFakeSmtpServer()];
  });
  after('stop them', async () => {
    await smtp?.stop();
    await database?.drop();
  });
  afterEach('stop the worker and Redis', async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  const start = async (redisUrl: string) => {
    const worker = startService('mailer-worker', {
      ...WORKER_ENVIRONMENT,
      WORKER_OPS_PORT: '0',
      DATABASE_URL: await withLoginOf('worker', database.url),
      REDIS_URL: redisUrl,
      SMTP_URL: smtp.url,
    });
    cleanups.push(async () => {
      worker.kill();
      await worker.waitForExit();
    });
    const { opsUrl } = await worker.listening();
    const getFailing = async (): Promise<string[]> => {
      const { failing = [] } = (await (await fetch(`${opsUrl}/readyz`)).json()) as { failing?: string[] };
      return failing;
    };
    return { worker, getFailing };
  };

  const countCommands = async (redisUrl: string): Promise<number> => {
    const stats = String(await runRedisCommand(redisUrl, 'INFO', 'stats'));
    return Number(/total_commands_processed:(\d+)/.exec(stats)?.[1]);
  };

  /**
   * Checks that the worker logs little and sends few commands, and that mails are sent within seconds after
   * `recover`.
   */
  const expectRecovery = async (redisUrl: string, error: string, recover: () => Promise<unknown>) => {
    const { worker, getFailing } = await start(redisUrl);
    await waitFor('the error is logged', () => worker.output().includes(error));
    const commands = await countCommands(redisUrl);
    const until = Date.now() + WATCHED_SECONDS * 1_000;
    await waitFor('some seconds have passed', () => Date.now() > until);
    expect(worker.logLines().length, worker.output()).to.be.below(12);
    expect((await countCommands(redisUrl)) - commands).to.be.below(50 * WATCHED_SECONDS);
    expect(await getFailing()).to.deep.equal(['redis']);

    await recover();
    const redis = connectRedis(redisUrl, () => undefined);
    const queue = createMailQueue(redis, cipher);
    cleanups.push(async () => {
      await queue.close();
      redis.destroy();
    });
    await waitFor('the queue is connected', queue.isReady);
    await queue.add(crypto.randomUUID(), {
      mail: noticeMail('ada@example.com'),
      requestId: '1',
      inOutbox: false,
    });
    const count = smtp.mails().length;
    await waitFor('the mail is sent', () => smtp.mails().length > count);
    await waitFor('the worker is ready', async () => (await getFailing()).length === 0);
  };

  it('pauses while the only server is read-only', async () => {
    const valkey = await startTestValkey();
    cleanups.push(valkey.stop);
    const setPrimary = (host: string, port: string) => runRedisCommand(valkey.url, 'REPLICAOF', host, port);
    await setPrimary('127.0.0.1', '1');
    await expectRecovery(valkey.url, 'READONLY', () => setPrimary('NO', 'ONE'));
  });

  it('pauses while Redis is out of memory, and then sends mails', async () => {
    const valkey = await startTestValkey();
    cleanups.push(valkey.stop);
    await runRedisCommand(valkey.url, 'CONFIG', 'SET', 'maxmemory', '1');
    await expectRecovery(valkey.url, 'OOM', () =>
      runRedisCommand(valkey.url, 'CONFIG', 'SET', 'maxmemory', '0'),
    );
  });
});
