import { uniqueEmail } from '@platform/shared/testing/builders';
import { holdLock } from '@platform/shared/testing/hold-lock';
import {
  createInterruptibleProxy,
  type InterruptibleProxy,
} from '@platform/shared/testing/interruptible-proxy';
import { waitFor } from '@platform/shared/testing/poll';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { expect } from 'chai';
import pg from 'pg';
import { noticeMail, useMailPlatform } from './mail-platform.ts';

describe('The outbox', () => {
  const platform = useMailPlatform();
  let proxy: InterruptibleProxy | undefined;
  afterEach('close the proxy', () => proxy?.close());
  const untilGone = () =>
    waitFor('the outbox is empty', async () => (await platform().outbox()).length === 0);
  const leaveMany = (count: number, to: string) =>
    queryDatabase(
      platform().databaseUrl,
      "insert into mail_outbox (mail, request_id) select $2::jsonb, 'request-1' from generate_series(1, $1)",
      [count, JSON.stringify(noticeMail(to))],
    );
  const messageIds = (to: string) =>
    platform()
      .mailsTo(to)
      .map(({ messageId }) => messageId);

  it('When three workers relay three hundred notices side by side, then each is sent once', async () => {
    const { startWorker } = platform();
    const to = uniqueEmail();
    await leaveMany(300, to);
    await Promise.all([startWorker(), startWorker(), startWorker()]);
    await untilGone();
    expect(messageIds(to).length).to.equal(300);
    expect(new Set(messageIds(to)).size).to.equal(300);
  });

  it('When Redis is emptied between queue and server, then the notices are queued again and sent once', async () => {
    const { startWorker, outbox, ageOutbox, queue, redis, smtp } = platform();
    const to = uniqueEmail();
    smtp.refuse(to, { at: 'data', code: 451 });
    await leaveMany(5, to);
    await startWorker();
    await waitFor('all wait for their next try', async () => (await queue.getDelayedCount()) === 5);
    await redis.client.flushDb();
    smtp.refuse(to, { at: 'data', code: 451, times: 0 });
    expect((await outbox()).filter(({ isEnqueued }) => isEnqueued).length).to.equal(5);
    await ageOutbox(30);
    await untilGone();
    expect(messageIds(to).length).to.equal(5);
    expect(new Set(messageIds(to)).size).to.equal(5);
  });

  it('When a relayed notice is still in the queue, then it is not queued a second time', async () => {
    const { startWorker, leave, ageOutbox, queue, smtp } = platform();
    const to = uniqueEmail();
    smtp.refuse(to, { at: 'data', code: 451, times: 1 });
    const id = await leave(noticeMail(to));
    await startWorker();
    await waitFor('it waits for its next try', async () => (await queue.getDelayedCount()) === 1);
    await ageOutbox(30);
    await waitFor('it was relayed again', async () => {
      const [row] = await queryDatabase<{ isFresh: boolean }>(
        platform().databaseUrl,
        `select enqueued_at > now() - interval '10 seconds' as "isFresh" from mail_outbox where id = $1`,
        [id],
      );
      return row?.isFresh;
    });
    expect(await queue.getJobCountByTypes('waiting', 'active', 'delayed', 'prioritized')).to.equal(1);
    await queue.promoteJobs();
    await untilGone();
    expect(messageIds(to)).to.deep.equal([`<${id}@platform.example>`]);
  });

  it('When all tries of a notice are used up, then it is tried on, since it must not be lost', async () => {
    const { startWorker, leave, enqueueRaw, outbox, ageOutbox, untilFailed, smtp } = platform();
    const to = uniqueEmail();
    smtp.refuse(to, { at: 'data', code: 451, times: 1 });
    const id = await leave(noticeMail(to));
    await enqueueRaw(
      'password-changed',
      { mail: noticeMail(to), requestId: 'request-1', inOutbox: true },
      { jobId: id, attempts: 1 },
    );
    await startWorker();
    await untilFailed(id);
    await waitFor('its row was relayed', async () => (await outbox()).every(({ isEnqueued }) => isEnqueued));
    await ageOutbox(30);
    await untilGone();
    expect(messageIds(to)).to.deep.equal([`<${id}@platform.example>`]);
  });

  it('When a worker died between taking a row and queueing it, then the row is taken again', async () => {
    const { startWorker, leave } = platform();
    const to = uniqueEmail();
    const id = await leave(noticeMail(to));
    await queryDatabase(
      platform().databaseUrl,
      "update mail_outbox set enqueued_at = now() - interval '31 seconds' where id = $1",
      [id],
    );
    await startWorker();
    await untilGone();
    expect(messageIds(to)).to.deep.equal([`<${id}@platform.example>`]);
  });

  it('sends a notice within seconds when Redis failed between its claim and the queue', async () => {
    const { startWorker, redis, databaseUrl, untilSent } = platform();
    const to = uniqueEmail();
    proxy = await createInterruptibleProxy(redis.url);
    const { logs } = await startWorker({ REDIS_URL: proxy.url });
    await waitFor('the cleanup is scheduled, over Redis', async () => (await redis.client.dbSize()) > 0);
    // The relay finds Redis connected and waits for the table.
    const lock = await holdLock(
      databaseUrl,
      `lock table mail_outbox in access exclusive mode;
       insert into mail_outbox (mail, request_id) values ('${JSON.stringify(noticeMail(to))}', 'request-1')`,
    );
    await lock.untilWaiting(1);
    await proxy.cut();
    await lock.commit();
    await waitFor('the relay has failed', () => logs().includes('relay-outbox'));
    await proxy.restore();
    // A row that was not released is claimed again after half a minute.
    await untilSent(to);
    await untilGone();
    expect(messageIds(to).length).to.equal(1);
  });

  it('When the transaction that leaves a notice is not over, then the notice is not sent', async () => {
    const { startWorker, leave, untilSent, mailsTo } = platform();
    const { databaseUrl } = platform();
    const [to, next] = [uniqueEmail(), uniqueEmail()];
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query('begin');
    await client.query("insert into mail_outbox (mail, request_id) values ($1, 'request-1')", [
      JSON.stringify(noticeMail(to)),
    ]);
    await startWorker();
    await leave(noticeMail(next));
    await untilSent(next);
    expect(mailsTo(to)).to.deep.equal([]);
    await client.query('commit');
    await client.end();
    await untilSent(to);
    await untilGone();
  });

  it('When the worker stops in mid-send, then it ends what it is sending, and leaves the rest to the next one', async () => {
    const { startWorker, queue, smtp } = platform();
    const to = uniqueEmail();
    smtp.slowDown(400);
    await leaveMany(12, to);
    const { stop, logs } = await startWorker();
    await waitFor('it is sending', async () => (await queue.getActiveCount()) > 0);
    await stop();
    const sent = messageIds(to).length;
    expect(sent).to.be.within(1, 11);
    expect(await queue.getActiveCount()).to.equal(0);
    expect(logs()).not.to.match(/"level":(50|60)/);
    smtp.slowDown(0);
    await startWorker();
    await untilGone();
    expect(messageIds(to).length).to.equal(12);
    expect(new Set(messageIds(to)).size).to.equal(12);
  });

  it('When no more than so many mails a second are allowed, then no more are sent', async () => {
    const { startWorker } = platform();
    const to = uniqueEmail();
    await leaveMany(8, to);
    const started = performance.now();
    await startWorker({ MAIL_RATE_PER_SECOND: '4' });
    await untilGone();
    expect(performance.now() - started).to.be.above(1_000);
    expect(messageIds(to).length).to.equal(8);
  });
});
