import { uniqueEmail } from '@platform/shared/testing/builders';
import { waitFor } from '@platform/shared/testing/poll';
import { type NodeProcess, startService } from '@platform/shared/testing/process';
import { expect } from 'chai';
import { codeMail, useMailFixture } from '../../testing/mail-fixture.ts';
import { WORKER_ENVIRONMENT } from '../../testing/test-worker.ts';

/** More kills than BullMQ's default maxStalledCount of 1. */
const KILLS = 2;
/** Longer than the test needs to kill the worker, and shorter than the worker's SMTP timeout. */
const SMTP_DELAY_MILLISECONDS = 6_000;
const LOCK_SECONDS = 20;

describe('worker crash during delivery', () => {
  const fixture = useMailFixture();
  let worker: NodeProcess | undefined;
  const kill = async () => {
    worker?.kill();
    await worker?.waitForExit();
  };
  afterEach('kill the worker', kill);

  it(`leaves the mail to the next worker after ${KILLS} kills`, async () => {
    const { databaseUrl, redis, smtp, queue, enqueueAsService, waitUntilQueueEmpty } = fixture();
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
    smtp.slowDown(SMTP_DELAY_MILLISECONDS);
    for (let kills = 0; kills < KILLS; kills += 1) {
      worker = start();
      await waitFor(`attempt ${kills + 1}`, () => smtp.attemptsFor(to).length > kills);
      await kill();
      expect(await (await queue.getJob(id))?.isActive()).to.equal(true);
      await redis.passTime(LOCK_SECONDS);
    }
    smtp.slowDown(0);
    worker = start();
    await waitFor('the last attempt', () => smtp.attemptsFor(to).length > KILLS);
    await waitUntilQueueEmpty();
    expect(await queue.getFailedCount()).to.equal(0);
  });
});
