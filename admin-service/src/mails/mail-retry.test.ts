import type { Mail } from '@platform/shared/platform/mail/mail';
import type { CodeHolder } from '@platform/shared/platform/mail/stored-code';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { expectError } from '@platform/shared/testing/responses';
import { UnrecoverableError } from 'bullmq';
import { expect } from 'chai';
import { codeMail, formMail, inMinutes, useMails } from '../../testing/mails.ts';

describe('retry of a mail', () => {
  const mails = useMails();
  const isClaimable = async (id: string) =>
    (
      await mails().service.records.query(
        'select id from mail_outbox where id = $1 and enqueued_at is null and failed_at is null and failure is null',
        [id],
      )
    ).length === 1;

  it('lets the worker queue a failed mail of the outbox again', async () => {
    const id = await mails().queueRow(formMail('Help'));
    await mails().failNext(new UnrecoverableError('Rejected: 550'));
    await mails().service.records.query(
      "update mail_outbox set failed_at = now(), failure = 'Rejected: 550', attempts = 1 where id = $1",
      [id],
    );
    expect((await mails().retry(id)).status).to.equal(204);
    expect(await mails().getState(id)).to.equal('unknown');
    expect(await isClaimable(id)).to.equal(true);
    expect(await mails().find(id)).to.include({ state: 'waiting', attempts: 0, failure: null });
    const [record, ...others] = await mails().service.records.auditOf(id);
    expect(others).to.deep.equal([]);
    expect(record).to.deep.include({
      action: 'MAIL_RETRIED',
      actorId: mails().service.administrator.id,
      targetType: 'MAIL',
      details: { mail: 'support-request' },
    });
  });

  it('ends the delay of a waiting mail, also if it is repeated', async () => {
    const id = await mails().queueRow(formMail('Help'));
    await mails().failNext(new Error('451 Mailbox full'));
    expect(await mails().getState(id)).to.equal('delayed');
    const responses = await Promise.all([mails().retry(id), mails().retry(id), mails().retry(id)]);
    expect(responses.map(({ status }) => status)).to.deep.equal([204, 204, 204]);
    expect(await mails().getState(id)).to.equal('prioritized');
  });

  it('queues a mail again whose attempts have ended', async () => {
    const id = await mails().queueRow(formMail('Help'));
    await mails().failNext(new UnrecoverableError('451 Mailbox full'));
    expect((await mails().retry(id)).status).to.equal(204);
    expect(await isClaimable(id)).to.equal(true);
    expect(await mails().getState(id)).to.equal('unknown');
  });

  it('sends a rejected code again while it is valid', async () => {
    await mails().redis.hSet('code-1', 'hash', 'hash-1');
    const { id: userId } = await mails().service.records.user(['CUSTOMER']);
    const id = await mails().queueCode({ key: 'code-1', hash: 'hash-1', holder: { id: userId } });
    await mails().failNext(new UnrecoverableError('Rejected: 550'));
    expect((await mails().retry(id)).status).to.equal(204);
    expect(await mails().getState(id)).to.equal('waiting');
    expect((await mails().queue.getJob(id))?.attemptsMade).to.equal(0);
  });

  it('returns 409 for an invitation that has expired, or whose address has meanwhile an account', async () => {
    const invitation = (expiresAt: string, to = uniqueEmail()): Mail => ({
      template: 'invitation',
      to,
      language: 'en',
      role: 'ADMIN',
      sealedCode: 'x',
      expiresAt,
      invitedBy: null,
    });
    const valid = await mails().addRow(invitation(inMinutes(1)), { failure: 'Rejected: 550' });
    const expired = await mails().addRow(invitation(inMinutes(-1)), { failure: 'Rejected: 550' });
    expectError(await mails().retry(expired), 409, 'MAIL_EXPIRED');
    const { email } = await mails().service.records.user(['CUSTOMER'], { isEmailVerified: true });
    const owned = await mails().addRow(invitation(inMinutes(1), email), { failure: 'Rejected: 550' });
    expectError(await mails().retry(owned), 409, 'MAIL_EXPIRED');
    expect((await mails().retry(valid)).status).to.equal(204);
    expect((await mails().remove(expired)).status).to.equal(204);
  });

  const HOLDERS: [change: string, holder: Omit<CodeHolder, 'id'>, text: string][] = [
    [
      'a new password or other factors',
      { factorVersion: 0 },
      'update users set factor_version = 1 where id = $1',
    ],
    [
      'a proof of the address',
      { isEmailVerified: false },
      'update users set is_email_verified = true where id = $1',
    ],
    ['the deletion of the account', {}, 'select delete_account($1)'],
  ];

  for (const [change, holder, text] of HOLDERS)
    it(`returns 409 for a code that is still stored, after ${change}`, async () => {
      const { id: userId } = await mails().service.records.user(['CUSTOMER']);
      await mails().redis.hSet('code-1', 'hash', 'hash-1');
      const code = { key: 'code-1', hash: 'hash-1', holder: { id: userId, ...holder } };
      const id = await mails().queueCode(code);
      expect((await mails().retry(id)).status).to.equal(204);
      await mails().service.records.query(text, [userId]);
      expectError(await mails().retry(id), 409, 'MAIL_EXPIRED');
    });

  for (const [change, text] of [
    ['the deletion of the account', 'select delete_account($1)'],
    ['a change of its address', "update users set email = 'other-' || email where id = $1"],
  ] as const)
    it(`returns 409 for a code to reset a password that is still stored, after ${change}`, async () => {
      const { id: userId, email } = await mails().service.records.user(['CUSTOMER']);
      await mails().redis.hSet('code-1', 'hash', 'hash-1');
      const mail = { ...codeMail(email), template: 'reset-password-code' } as Mail;
      // It names no holder, so that the queue does not tell whether there is an account.
      const id = await mails().queueCode({ key: 'code-1', hash: 'hash-1' }, mail);
      expect((await mails().retry(id)).status).to.equal(204);
      await mails().service.records.query(text, [userId]);
      expectError(await mails().retry(id), 409, 'MAIL_EXPIRED');
    });

  it('returns 409 for a code that was replaced or used, and for an expired one', async () => {
    await mails().redis.hSet('code-1', 'hash', 'hash-2');
    const replaced = await mails().queueCode({ key: 'code-1', hash: 'hash-1' });
    const used = await mails().queueCode({ key: 'code-2', hash: 'hash-1' });
    const expired = await mails().queueCode(undefined, codeMail(uniqueEmail(), inMinutes(-1)));
    for (const id of [replaced, used, expired]) {
      expectError(await mails().retry(id), 409, 'MAIL_EXPIRED');
      expect(await mails().service.records.auditOf(id)).to.deep.equal([]);
    }
  });
});
