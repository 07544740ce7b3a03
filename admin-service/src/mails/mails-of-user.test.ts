import { randomUUID } from 'node:crypto';
import type { Mail } from '@platform/shared/platform/mail/mail';
import type { StoredCode } from '@platform/shared/platform/mail/stored-code';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { minutesAgo, startAdminService } from '../../testing/admin-service.ts';
import { codeMail, inMinutes, useMails } from '../../testing/mails.ts';

describe('mails of a user', () => {
  const mails = useMails();
  const list = (id: string, query: { page?: number; perPage?: number } = {}) =>
    mails().service.administrator.listMailsOfUser({ id, query });
  const addSent = (userId: string, mail: string, age: number, state = 'sent') =>
    mails().service.records.query(
      `insert into sent_mails (user_id, mail, recipient, state, failure, recorded_at)
       values ($1, $2, 'former@example.com', $3, $4, $5)`,
      [userId, mail, state, state === 'failed' ? '550 unknown' : null, minutesAgo(age)],
    );
  const addWaiting = (userId: string, age: number, failedAge?: number) =>
    mails().service.records.query(
      `insert into mail_outbox (mail, request_id, user_id, created_at, failed_at, failure)
       values ($1, 'test', $2, $3, $4, $5)`,
      [
        { template: 'password-changed', to: 'current@example.com', code: '123456' },
        userId,
        minutesAgo(age),
        failedAge === undefined ? null : minutesAgo(failedAge),
        failedAge === undefined ? null : '421 busy',
      ],
    );

  it('are those that were sent, wait and failed, newest first, by when the state began', async () => {
    const { id } = await mails().service.records.user(['CUSTOMER']);
    await addSent(id, 'verification-code', 30);
    await addWaiting(id, 20);
    await addWaiting(id, 60, 10);
    await addSent(id, 'reset-password-code', 5, 'failed');
    await addSent((await mails().service.records.user(['CUSTOMER'])).id, 'new-device', 1);
    const { status, body, text } = await list(id);
    expect(status).to.equal(200);
    expect(body).to.include({ total: 4, page: 1, perPage: 10 });
    const shown = body.data.map((mail: Record<string, unknown>) => [
      mail['mail'],
      mail['state'],
      mail['recipient'],
      mail['failure'],
      mail['service'],
    ]);
    expect(shown).to.deep.equal([
      ['reset-password-code', 'failed', 'former@example.com', '550 unknown', null],
      ['password-changed', 'failed', 'current@example.com', '421 busy', null],
      ['password-changed', 'waiting', 'current@example.com', null, null],
      ['verification-code', 'sent', 'former@example.com', null, null],
    ]);
    expect(Date.parse(body.data[1].at)).to.be.closeTo(minutesAgo(10).getTime(), 60_000);
    expect(text).not.to.include('123456');
    const pages = [await list(id, { perPage: 3 }), await list(id, { perPage: 3, page: 2 })];
    expect(pages.map((page) => page.body.data.length)).to.deep.equal([3, 1]);
  });

  it('are gone with the account, and not found for unknown users', async () => {
    const { id } = await mails().service.records.user(['CUSTOMER']);
    await mails().service.records.deleteAccount(id);
    for (const each of [id, randomUUID()]) expectError(await list(each), 404, 'USER_NOT_FOUND');
    expectError(await list('x'), 400, 'VALIDATION_FAILED');
  });

  describe('of codes in the queue', () => {
    const queueFor = (userId: string, to: string, template = 'sign-in-code') =>
      mails().queueCode(undefined, { ...codeMail(to), template, userId } as Mail);
    const shown = async (id: string, query = {}) => {
      const { body } = await list(id, query);
      return body.data.map(({ mail, state, recipient, failure }: Record<string, unknown>) => [
        mail,
        state,
        recipient,
        failure,
      ]);
    };

    it('are among them, with the last failure of the mail server', async () => {
      const { id, email } = await mails().service.records.user(['CUSTOMER']);
      await queueFor(id, email);
      expect(await shown(id)).to.deep.equal([['sign-in-code', 'waiting', email, null]]);
      await mails().failNext(new Error('451 4.3.0 Try again later'));
      expect(await shown(id)).to.deep.equal([
        ['sign-in-code', 'waiting', email, '451 4.3.0 Try again later'],
      ]);
      const [mail] = (await list(id)).body.data;
      await mails().service.records.query(
        "insert into sent_mails (id, user_id, mail, recipient, state) values ($1, $2, 'sign-in-code', $3, 'sent')",
        [mail.id, id, email],
      );
      expect(await shown(id)).to.deep.equal([['sign-in-code', 'sent', email, null]]);
    });

    it('are those of this user alone, although others have the same masked address', async () => {
      const [one, other] = [`ada.${uniqueEmail()}`, `ann.${uniqueEmail()}`];
      const { id } = await mails().service.records.user(['CUSTOMER'], { email: one });
      const { id: otherId } = await mails().service.records.user(['CUSTOMER'], { email: other });
      await queueFor(otherId, other);
      // A decoy for an address without an account has a random id.
      await queueFor(randomUUID(), one);
      expect(await shown(id)).to.deep.equal([]);
      await queueFor(id, one);
      expect(await shown(id)).to.deep.equal([['sign-in-code', 'waiting', one, null]]);
      // The queue names the holder of a change, which goes to another address.
      const holder = { id };
      await mails().queueCode(
        { key: 'code', hash: 'hash', holder } as StoredCode,
        {
          ...codeMail('new@example.net'),
          template: 'email-change-code',
          userId: id,
        } as Mail,
      );
      expect((await shown(id))[0]).to.deep.equal(['email-change-code', 'waiting', 'new@example.net', null]);
      expect((await list(id, { perPage: 1, page: 2 })).body).to.deep.include({
        total: 2,
        page: 2,
        perPage: 1,
      });
    });

    it('are waiting again after a failed one was queued again', async () => {
      const { id, email } = await mails().service.records.user(['CUSTOMER']);
      const mailId = await queueFor(id, email);
      await mails().service.records.query(
        "insert into sent_mails (id, user_id, mail, recipient, state) values ($1, $2, 'sign-in-code', $3, 'failed')",
        [mailId, id, email],
      );
      expect(await shown(id)).to.deep.equal([['sign-in-code', 'waiting', email, null]]);
    });
  });

  it('have the last failure of a notice that is retried', async () => {
    const { id, email } = await mails().service.records.user(['CUSTOMER']);
    const notice = {
      template: 'password-changed',
      to: email,
      language: 'en',
      isEmailVerified: true,
      changedAt: inMinutes(0),
    };
    const mailId = await mails().queueRow(notice as Mail);
    await mails().service.records.query('update mail_outbox set user_id = $1 where id = $2', [id, mailId]);
    await mails().failNext(new Error('451 4.3.0 Try again later'));
    expect((await list(id)).body.data[0]).to.include({
      state: 'waiting',
      failure: '451 4.3.0 Try again later',
    });
  });

  it('are those of the database while Redis is unavailable', async () => {
    const unavailable = await startAdminService({ REDIS_URL: 'redis://127.0.0.1:1' });
    try {
      const { id } = await unavailable.records.user(['CUSTOMER']);
      const { status, body } = await unavailable.administrator.listMailsOfUser({ id });
      expect([status, body.total]).to.deep.equal([200, 0]);
    } finally {
      await unavailable.stop();
    }
  });
});
