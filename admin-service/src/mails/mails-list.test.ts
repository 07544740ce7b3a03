import { randomUUID } from 'node:crypto';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { uniqueWord } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { UnrecoverableError } from 'bullmq';
import { expect } from 'chai';
import { getIds, minutesAgo } from '../../testing/admin-service.ts';
import { CODE, codeMail, formMail, useMails } from '../../testing/mails.ts';

describe('list of mails', () => {
  const mails = useMails();

  it('shows mails of the outbox and of the queue, newest first, without texts, codes and addresses', async () => {
    const to = uniqueEmail();
    const text = uniqueWord();
    const failed = await mails().addRow(formMail(text), {
      failure: 'Rejected: 550 5.1.1 Mailbox unknown',
      attempts: 2,
      createdAt: minutesAgo(3),
    });
    const waiting = await mails().addRow(formMail(text), { createdAt: minutesAgo(2) });
    const code = await mails().queueCode(undefined, codeMail(to));
    const { status, body, text: response } = await mails().list();
    expect(status, response).to.equal(200);
    expect(body).to.include({ total: 3, page: 1, perPage: 10 });
    const shown = body.data.map(({ createdAt, ...mail }: { createdAt: string }) => {
      expect(createdAt).to.equal(new Date(createdAt).toISOString());
      return mail;
    });
    const pending = {
      service: null,
      user: null,
      state: 'waiting',
      attempts: 0,
      failure: null,
      cause: null,
      nextAttemptAt: null,
    };
    const recipient = to.replace(/^(.).*@/, '$1…@');
    expect(shown).to.deep.equal([
      { ...pending, id: code, mail: 'verification-code', recipient },
      { ...pending, id: waiting, mail: 'support-request', recipient: 't…@example.com' },
      {
        ...pending,
        id: failed,
        mail: 'support-request',
        recipient: 't…@example.com',
        state: 'failed',
        attempts: 2,
        failure: 'Rejected: 550 5.1.1 Mailbox unknown',
        cause: 'unknown-address',
      },
    ]);
    for (const hidden of [to, text, CODE, 'team@']) expect(response).not.to.include(hidden);
  });

  it('shows a message of another service with its name and the present address, without its texts', async () => {
    const { id: userId, email } = await mails().service.records.user(['CUSTOMER']);
    const subject = uniqueWord();
    const message = {
      template: 'service-message',
      service: 'projects',
      subject,
      text: subject,
      action: null,
    } as const;
    const id = await mails().addRow(message);
    await mails().service.records.query('update mail_outbox set user_id = $1 where id = $2', [userId, id]);
    const { body, text } = await mails().list();
    expect(body.data[0]).to.deep.include({
      id,
      user: { id: userId, name: 'Ada' },
      mail: 'service-message',
      service: 'projects',
      recipient: email.replace(/^(.).*@/, '$1…@'),
    });
    expect(text).not.to.include(subject);
  });

  it('shows the last failure and the next attempt of a mail that is retried', async () => {
    const id = await mails().queueRow(formMail('Help'));
    await mails().failNext(new Error('451 Mailbox full'));
    const mail = await mails().find(id);
    expect(mail).to.include({ state: 'waiting', attempts: 1, failure: '451 Mailbox full' });
    expect(Date.parse(mail.nextAttemptAt)).to.be.within(Date.now() - 1_000, Date.now() + 10_000);
  });

  it('shows a rejected code as failed at once', async () => {
    const id = await mails().queueCode();
    await mails().failNext(new UnrecoverableError('Rejected: 550'));
    const expected = { state: 'failed', attempts: 1, failure: 'Rejected: 550', nextAttemptAt: null };
    expect(await mails().find(id)).to.include(expected);
  });

  it('shows a mail of the outbox as waiting after the attempts of its job, because others follow', async () => {
    const id = await mails().queueRow(formMail('Help'));
    await mails().failNext(new UnrecoverableError('451 Mailbox full'));
    expect(await mails().getState(id)).to.equal('failed');
    expect(await mails().find(id)).to.include({ state: 'waiting', attempts: 1, failure: '451 Mailbox full' });
  });

  it('filters by state and paginates both sources in one order', async () => {
    const failed = [
      await mails().addRow(formMail('1'), { failure: 'Rejected', createdAt: minutesAgo(2) }),
      await mails().addRow(formMail('2'), { failure: 'Rejected', createdAt: minutesAgo(1) }),
      await mails().queueCode(),
    ];
    await mails().failNext(new UnrecoverableError('Rejected: 550'));
    const waiting = [
      await mails().addRow(formMail('3'), { createdAt: minutesAgo(4) }),
      await mails().addRow(formMail('4'), { createdAt: minutesAgo(3) }),
      await mails().queueCode(),
    ];
    for (const [state, ids] of Object.entries({ failed, waiting })) {
      const pages = [
        await mails().list({ state, perPage: 2 }),
        await mails().list({ state, perPage: 2, page: 2 }),
      ];
      expect(pages.flatMap(getIds), state).to.deep.equal(ids.toReversed());
      for (const { body } of pages) expect(body.total).to.equal(3);
    }
    expect((await mails().list({ page: 9 })).body).to.deep.equal({
      data: [],
      total: 6,
      page: 9,
      perPage: 10,
    });
    for (const [name, value] of Object.entries({ state: 'sent', search: 'x', perPage: 101 }))
      expectError(await mails().list({ [name]: value }), 400, 'VALIDATION_FAILED', `/query/${name}`);
  });

  it('ends at the newest 1,000 mails', async () => {
    await mails().service.records.query(
      `insert into mail_outbox (mail, request_id, created_at)
       select $1, 'request-1', now() - make_interval(secs => n) from generate_series(1, 1000) n`,
      [formMail('Help')],
    );
    expect((await mails().list()).body)
      .to.include({ total: 1_000 })
      .and.not.to.have.property('totalCapped');
    const newest = await mails().queueCode();
    const { body } = await mails().list({ perPage: 1 });
    expect([body.data[0].id, body.total, body.totalCapped]).to.deep.equal([newest, 1_000, true]);
    expect((await mails().list({ perPage: 100, page: 10 })).body.data).to.have.lengthOf(100);
    expect((await mails().list({ perPage: 100, page: 11 })).body.data).to.deep.equal([]);
  });

  it('accepts jobs of another release, and ignores those of mails that are no longer in the outbox', async () => {
    const id = randomUUID();
    await mails().queue.add('newsletter', { sealedMail: 'x', requestId: 'request-1' }, { jobId: id });
    await mails().queue.add('support-request', { inOutbox: true }, { jobId: randomUUID() });
    await mails().queue.add('support-request', { inOutbox: true }, { jobId: 'legacy-1' });
    const { body } = await mails().list();
    expect(body.total).to.equal(1);
    expect(body.data[0]).to.include({ id, mail: 'unknown', recipient: '…', state: 'waiting' });
  });
});
