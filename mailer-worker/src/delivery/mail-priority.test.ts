import { uniqueEmail } from '@platform/shared/testing/builders';
import { waitFor } from '@platform/shared/testing/poll';
import { expect } from 'chai';
import { codeMail, formMail, noticeMail, useMailFixture } from '../../testing/mail-fixture.ts';

const CODE_LIFETIME_MILLISECONDS = 900_000;

describe('mail priority', () => {
  const fixture = useMailFixture();

  it('sends codes before notices that have waited longer', async () => {
    const { startWorker, enqueueAsService, waitUntilSent, smtp } = fixture();
    const [notice, code] = [uniqueEmail(), uniqueEmail()];
    for (let index = 0; index < 10; index += 1) await enqueueAsService(noticeMail(notice));
    await enqueueAsService(codeMail(code));
    const before = smtp.mails().length;
    await startWorker({ MAIL_CONCURRENCY: '1' });
    await waitUntilSent(notice, 10);
    const order = smtp
      .mails()
      .slice(before)
      .flatMap(({ to }) => to);
    expect(order.slice(0, 5)).to.include(code);
  });

  it('sends a code while slow mails occupy every slot', async () => {
    const { startWorker, enqueueAsService, waitUntilSent, getMailsTo, smtp } = fixture();
    const [first, slow, code] = [uniqueEmail(), uniqueEmail(), uniqueEmail()];
    await startWorker({ MAIL_CONCURRENCY: '2' });
    await enqueueAsService(noticeMail(first));
    await waitUntilSent(first);
    // The delay is below the timeout of the worker, and longer than the test takes.
    smtp.slowDown(5_000);
    await enqueueAsService(noticeMail(slow));
    await enqueueAsService(noticeMail(slow));
    await waitFor('both slots are occupied', () => smtp.attemptsFor(slow).length === 2);
    smtp.slowDown(0);
    await enqueueAsService(noticeMail(slow));
    await enqueueAsService(codeMail(code));
    await waitUntilSent(code);
    expect(getMailsTo(slow)).to.deep.equal([]);
    await waitUntilSent(slow, 3);
  });

  it('sends a notice to a user while contact forms fill the queue', async () => {
    const { startWorker, addToOutbox, addManyToOutbox, waitUntilSent, getMailsTo, readOutbox, queue } =
      fixture();
    const [user, team] = [uniqueEmail(), uniqueEmail()];
    await addManyToOutbox(400, formMail(team));
    // At this rate, the forms in the queue alone take a minute.
    await startWorker({ MAIL_RATE_PER_SECOND: '5' });
    await waitFor('the queue is full', async () => (await queue.getPrioritizedCount()) > 290);
    await addToOutbox(noticeMail(user));
    await waitUntilSent(user);
    expect(getMailsTo(team).length).to.be.below(100);
    expect((await readOutbox()).length).to.be.above(300);
  });

  it('relays notices before contact forms that are older', async () => {
    const { startWorker, addManyToOutbox, waitUntilSent, smtp } = fixture();
    const [user, team] = [uniqueEmail(), uniqueEmail()];
    const before = smtp.mails().length;
    await addManyToOutbox(150, formMail(team));
    await addManyToOutbox(20, noticeMail(user));
    await startWorker({ MAIL_CONCURRENCY: '1' });
    await waitUntilSent(team, 10);
    const recipients = smtp
      .mails()
      .slice(before)
      .flatMap(({ to }) => to);
    expect(recipients.slice(0, 20)).to.deep.equal(Array.from({ length: 20 }, () => user));
  });

  it('relays notices while the mailbox of the team rejects many contact forms', async () => {
    const { startWorker, addToOutbox, waitUntilSent, readOutbox, queue } = fixture();
    const [user, team] = [uniqueEmail(), uniqueEmail()];
    const retries = Array.from({ length: 1_500 }, () => ({
      name: 'support-request',
      data: {},
      opts: { delay: 600_000, priority: 2 },
    }));
    await queue.addBulk(retries);
    const form = await addToOutbox(formMail(team));
    await addToOutbox(noticeMail(user));
    await startWorker();
    await waitUntilSent(user);
    await waitFor('the notice is removed', async () => (await readOutbox()).length === 1);
    expect(await readOutbox()).to.deep.include({
      id: form,
      failedAt: null,
      failure: null,
      isEnqueued: false,
    });
  });

  it('applies MAIL_RATE_PER_SECOND to all workers, codes and notices together', async () => {
    const { startWorker, enqueueAsService, waitUntilSent } = fixture();
    const to = uniqueEmail();
    for (let index = 0; index < 9; index += 1)
      await enqueueAsService(index % 2 === 0 ? noticeMail(to) : codeMail(to));
    const started = performance.now();
    await Promise.all([1, 2, 3].map(() => startWorker({ MAIL_RATE_PER_SECOND: '3' })));
    await waitUntilSent(to, 9);
    // Three mails are sent in each of three seconds. With a limit for each worker, all would be sent at once.
    expect(performance.now() - started).to.be.above(1_900);
  });

  it('retries a code for as long as it is valid', async () => {
    const { enqueueAsService, queue } = fixture();
    const job = await queue.getJob(await enqueueAsService(codeMail(uniqueEmail())));
    const { attempts = 0, backoff } = job?.opts ?? {};
    const { delay = 0, jitter = 0 } = typeof backoff === 'object' ? backoff : {};
    expect(attempts * delay * (1 - jitter)).to.be.at.least(CODE_LIFETIME_MILLISECONDS);
  });
});
