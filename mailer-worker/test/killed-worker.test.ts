import { uniqueEmail } from '@platform/shared/testing/builders';
import { waitFor } from '@platform/shared/testing/poll';
import { type NodeProcess, startService } from '@platform/shared/testing/process';
import { expect } from 'chai';
import { WORKER_ENVIRONMENT } from './compose-worker.ts';
import { codeMail, useMailPlatform } from './mail-platform.ts';

/** More than BullMQ lets a job outlive unless it is told otherwise, which is one. */
const KILLS = 2;
/** Longer than it takes to see the mail and kill the worker, shorter than the worker waits for the server. */
const HOLD_MILLISECONDS = 6_000;
/** How long the lock of a job outlives its worker. */
const LOCK_SECONDS = 20;

describe('A mail whose worker is killed while it is sent', function () {
  this.timeout(90_000);
  const platform = useMailPlatform();
  let worker: NodeProcess | undefined;
  const kill = async () => {
    worker?.kill();
    await worker?.waitForExit();
  };
  afterEach('kill the worker', kill);

  it(`is sent by the next worker after ${KILLS} kills`, async () => {
    const { databaseUrl, redis, smtp, queue, enqueueAsService, untilEmpty } = platform();
    const start = () =>
      startService('mailer-worker', {
        WORKER_OPS_PORT: '0',
        ...WORKER_ENVIRONMENT,
        DATABASE_URL: databaseUrl,
        REDIS_URL: redis.url,
        SMTP_URL: smtp.url,
      });
    const to = uniqueEmail();
    const id = await enqueueAsService(codeMail(to));
    smtp.slowDown(HOLD_MILLISECONDS);
    for (let kills = 0; kills < KILLS; kills += 1) {
      worker = start();
      await waitFor(`attempt ${kills + 1}`, () => smtp.attemptsFor(to).length > kills, 25);
      await kill();
      expect(await (await queue.getJob(id))?.isActive()).to.equal(true);
      await redis.passTime(LOCK_SECONDS);
    }
    smtp.slowDown(0);
    worker = start();
    await waitFor('the last attempt', () => smtp.attemptsFor(to).length > KILLS, 25);
    await untilEmpty();
    expect(await queue.getFailedCount()).to.equal(0);
  });
});
