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
import { noticeMail, useMailFixture } from '../../testing/mail-fixture.ts';

describe('mail outbox', () => {
  const fixture = useMailFixture();
  let proxy: InterruptibleProxy | undefined;
  afterEach('close the proxy', () => proxy?.close());
  const waitUntilOutboxEmpty = () =>
    waitFor('the outbox is empty', async () => (await fixture().readOutbox()).length === 0);
  const getMessageIds = (to: string) =>
    fixture()
      .getMailsTo(to)
      .map(({ messageId }) => messageId);

  it('sends each of 300 notices once when three workers relay concurrently', async () => {
    const { startWorker } = fixture();
    const to = uniqueEmail();
    await fixture().addManyToOutbox(300, noticeMail(to));
    await Promise.all([startWorker(), startWorker(), startWorker()]);
    await waitUntilOutboxEmpty();
    expect(getMessageIds(to).length).to.equal(300);
    expect(new Set(getMessageIds(to)).size).to.equal(300);
  });

  it('queues notices again and sends them once after Redis was emptied', async () => {
    const { startWorker, readOutbox, ageOutbox, queue, redis, smtp } = fixture();
    const to = uniqueEmail();
    smtp.refuse(to, { at: 'data', code: 451 });
    await fixture().addManyToOutbox(5, noticeMail(to));
    await startWorker();
    await waitFor('all wait for their next attempt', async () => (await queue.getDelayedCount()) === 5);
    await redis.client.flushDb();
    smtp.refuse(to, { at: 'data', code: 451, times: 0 });
    expect((await readOutbox()).filter(({ isEnqueued }) => isEnqueued).length).to.equal(5);
    await ageOutbox(30);
    await waitUntilOutboxEmpty();
    expect(getMessageIds(to).length).to.equal(5);
    expect(new Set(getMessageIds(to)).size).to.equal(5);
  });

  it('queues a notice again when its attempts are exhausted', async () => {
    const { startWorker, addToOutbox, ageOutbox, waitUntilSent, queue, redis, smtp } = fixture();
    const to = uniqueEmail();
    smtp.refuse(to, { at: 'data', code: 451, times: 2 });
    const id = await addToOutbox(noticeMail(to));
    await startWorker();
    await waitFor('the mail waits for its next attempt', async () => (await queue.getDelayedCount()) === 1);
    // The next attempt is the last one.
    await redis.client.hSet(queue.toKey(id), 'atm', '7');
    await (await queue.getJob(id))?.promote();
    await waitFor('the attempts are exhausted', async () => (await queue.getFailedCount()) === 1);
    await ageOutbox(30);
    await waitUntilSent(to);
  });

  it('leaves the row of a notice that is still in the queue unchanged while it relays a lost one', async () => {
    const { startWorker, addToOutbox, ageOutbox, waitUntilSent, queue, smtp } = fixture();
    const [to, lost] = [uniqueEmail(), uniqueEmail()];
    smtp.refuse(to, { at: 'data', code: 451, times: 1 });
    const id = await addToOutbox(noticeMail(to));
    await startWorker();
    await waitFor('the mail waits for its next attempt', async () => (await queue.getDelayedCount()) === 1);
    await queryDatabase(
      fixture().databaseUrl,
      "insert into mail_outbox (mail, request_id, enqueued_at) values ($1, 'request-1', now())",
      [JSON.stringify(noticeMail(lost))],
    );
    // The delay is longer than any test, so the next attempt does not remove the row.
    await (await queue.getJob(id))?.changeDelay(600_000);
    await ageOutbox(3_600);
    await waitUntilSent(lost);
    const rows = await queryDatabase<{ id: string; isOld: boolean }>(
      fixture().databaseUrl,
      `select id, enqueued_at < now() - interval '30 minutes' as "isOld" from mail_outbox`,
    );
    expect(rows).to.deep.equal([{ id, isOld: true }]);
    expect(getMessageIds(to)).to.deep.equal([]);
  });

  it('keeps most of a long backlog in the outbox, and the queue short', async () => {
    const { startWorker, waitUntilSent, readOutbox } = fixture();
    const to = uniqueEmail();
    await fixture().addManyToOutbox(1_000, noticeMail(to));
    await startWorker({ MAIL_RATE_PER_SECOND: '5' });
    // At this rate it takes seconds, during which the relay runs several times.
    await waitUntilSent(to, 20);
    const rows = await readOutbox();
    expect(rows.length).to.be.above(900);
    expect(rows.filter(({ isEnqueued }) => isEnqueued).length).to.be.within(100, 310);
  });

  it('sends a notice within seconds when Redis failed between claim and enqueue', async () => {
    const { startWorker, redis, databaseUrl, waitUntilSent } = fixture();
    const to = uniqueEmail();
    proxy = await createInterruptibleProxy(redis.url);
    const { logs } = await startWorker({ REDIS_URL: proxy.url });
    await waitFor('the cleanup is scheduled in Redis', async () => (await redis.client.dbSize()) > 0);
    // The relay passes its readiness check and then waits for the table lock.
    const lock = await holdLock(
      databaseUrl,
      `lock table mail_outbox in access exclusive mode;
       insert into mail_outbox (mail, request_id) values ('${JSON.stringify(noticeMail(to))}', 'request-1')`,
    );
    await lock.untilWaiting(1);
    await proxy.cut();
    await lock.commit();
    await waitFor('the relay has failed', () => logs().includes('outbox-relay'));
    await proxy.restore();
    // Without the release, the row would be claimed again only after 30 s.
    await waitUntilSent(to);
    await waitUntilOutboxEmpty();
    expect(getMessageIds(to).length).to.equal(1);
  });

  it('does not send a notice before its transaction commits', async () => {
    const { startWorker, addToOutbox, waitUntilSent, getMailsTo } = fixture();
    const { databaseUrl } = fixture();
    const [to, next] = [uniqueEmail(), uniqueEmail()];
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query('begin');
    await client.query("insert into mail_outbox (mail, request_id) values ($1, 'request-1')", [
      JSON.stringify(noticeMail(to)),
    ]);
    await startWorker();
    await addToOutbox(noticeMail(next));
    await waitUntilSent(next);
    expect(getMailsTo(to)).to.deep.equal([]);
    await client.query('commit');
    await client.end();
    await waitUntilSent(to);
    await waitUntilOutboxEmpty();
  });

  it('finishes the current mails on stop and leaves the rest to the next worker', async () => {
    const { startWorker, queue, smtp } = fixture();
    const to = uniqueEmail();
    smtp.slowDown(400);
    await fixture().addManyToOutbox(12, noticeMail(to));
    const { stop, logs } = await startWorker();
    await waitFor('the worker is sending', async () => (await queue.getActiveCount()) > 0);
    await stop();
    const sent = getMessageIds(to).length;
    expect(sent).to.be.within(1, 11);
    expect(await queue.getActiveCount()).to.equal(0);
    expect(logs()).not.to.match(/"level":(50|60)/);
    smtp.slowDown(0);
    await startWorker();
    await waitUntilOutboxEmpty();
    expect(getMessageIds(to).length).to.equal(12);
    expect(new Set(getMessageIds(to)).size).to.equal(12);
  });
});
