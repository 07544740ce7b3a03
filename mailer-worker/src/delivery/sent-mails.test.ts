import { uniqueEmail } from '@platform/shared/testing/builders';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { waitFor } from '@platform/shared/testing/poll';
import { withFailing } from '@platform/shared/testing/query-database';
import { expect } from 'chai';
import { codeMail, inSeconds, noticeMail, useMailFixture } from '../../testing/mail-fixture.ts';

describe('record of sent mails', () => {
  const fixture = useMailFixture();
  const createUser = () => fixture().records.user(['CUSTOMER'], { isEmailVerified: true });
  const codeOf = (userId: string, to: string) => codeMail(to, '042917', inSeconds(900), userId);
  const untilRecorded = (userId: string) =>
    waitFor('the record', async () => {
      const mails = await fixture().readSentMails(userId);
      return mails.length > 0 && mails;
    });

  it('has the mails of the outbox that concern a user, and no others', async () => {
    const { startWorker, addToOutbox, waitUntilSent, readOutbox, records } = fixture();
    const [user, to] = [await createUser(), uniqueEmail()];
    const id = await addToOutbox(noticeMail(user.email), user.id);
    await addToOutbox(noticeMail(to));
    await startWorker();
    await waitUntilSent(to);
    await waitFor('the outbox is empty', async () => (await readOutbox()).length === 0);
    const sent = { mail: 'password-changed', recipient: user.email, state: 'sent', failure: null };
    expect(await fixture().readSentMails(user.id)).to.deep.equal([{ id, ...sent }]);
    expect(await records.query('select 1 from sent_mails where recipient = $1', [to])).to.deep.equal([]);
  });

  it('has codes, also rejected and expired ones', async () => {
    const { startWorker, enqueue, smtp } = fixture();
    const [sent, rejected, expired] = [await createUser(), await createUser(), await createUser()];
    smtp.refuse(rejected.email, { at: 'recipient', code: 550 });
    await startWorker();
    const id = await enqueue(codeOf(sent.id, sent.email));
    const mail = 'verification-code';
    await enqueue(codeOf(rejected.id, rejected.email));
    await enqueue(codeMail(expired.email, '042917', inSeconds(-1), expired.id));
    expect(await untilRecorded(sent.id)).to.deep.equal([
      { id, mail, recipient: sent.email, state: 'sent', failure: null },
    ]);
    for (const [{ id: userId, email }, reason] of [
      [rejected, /^Rejected: /],
      [expired, /expired/],
    ] as const) {
      const [record] = await untilRecorded(userId);
      expect(record).to.include({ mail, recipient: email, state: 'failed' });
      expect(record?.failure).to.match(reason).and.not.include('@');
    }
  });

  it('changes to sent when a failed code is sent later', async () => {
    const { startWorker, enqueue, waitUntilSent, waitUntilFailed, queue, smtp } = fixture();
    const user = await createUser();
    smtp.refuse(user.email, { at: 'recipient', code: 550, times: 1 });
    await startWorker();
    const id = await enqueue(codeOf(user.id, user.email));
    await waitUntilFailed(id);
    const job = await queue.getJob(id);
    await job?.retry();
    await waitUntilSent(user.email);
    await waitFor('the record', async () => (await fixture().readSentMails(user.id))[0]?.state === 'sent');
    expect(await fixture().readSentMails(user.id)).to.have.lengthOf(1);
  });

  it('does not have the mails of a deleted account', async () => {
    const { startWorker, addToOutbox, enqueue, waitUntilSent, readOutbox, databaseUrl, records } = fixture();
    const [user, other] = [await createUser(), await createUser()];
    await records.deleteAccount(user.id);
    await addToOutbox(noticeMail(user.email), user.id);
    await enqueue(codeOf(user.id, user.email));
    // The code is sent while the deletion is under way.
    const deletion = await holdLock(databaseUrl, 'select delete_account($1)', [other.id]);
    await startWorker();
    await enqueue(codeOf(other.id, other.email));
    await deletion.commitWhenWaiting(1);
    await Promise.all([waitUntilSent(user.email, 2), waitUntilSent(other.email)]);
    await waitFor('the outbox is empty', async () => (await readOutbox()).length === 0);
    await fixture().waitUntilQueueEmpty();
    for (const { id } of [user, other]) expect(await fixture().readSentMails(id)).to.deep.equal([]);
  });

  it('is deleted with the account, whose mails in the outbox are not sent', async () => {
    const { startWorker, enqueue, records } = fixture();
    const user = await createUser();
    await startWorker();
    await enqueue(codeOf(user.id, user.email));
    await untilRecorded(user.id);
    await records.deleteAccount(user.id);
    expect(await fixture().readSentMails(user.id)).to.deep.equal([]);
  });

  it('is not needed to send a code, which is sent once', async () => {
    const { startWorker, enqueue, waitUntilSent, waitUntilQueueEmpty, getMailsTo, databaseUrl } = fixture();
    const user = await createUser();
    await withFailing(databaseUrl, 'insert', 'sent_mails', async () => {
      await startWorker();
      await enqueue(codeOf(user.id, user.email));
      await waitUntilSent(user.email);
      await waitUntilQueueEmpty();
    });
    expect(getMailsTo(user.email)).to.have.lengthOf(1);
    expect(await fixture().readSentMails(user.id)).to.deep.equal([]);
  });
});
