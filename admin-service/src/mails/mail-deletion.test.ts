import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { formMail, useMails } from '../../testing/mails.ts';

describe('deletion of a mail', () => {
  const mails = useMails();

  it('removes a mail from the outbox and from the queue', async () => {
    const [queued, failed] = [
      await mails().queueRow(formMail('Help')),
      await mails().addRow(formMail('1'), { failure: 'Rejected' }),
    ];
    const code = await mails().queueCode();
    for (const id of [queued, failed, code]) {
      expect((await mails().remove(id)).status).to.equal(204);
      expect(await mails().getState(id)).to.equal('unknown');
      const [record] = await mails().service.records.auditOf(id);
      expect(record).to.include({ action: 'MAIL_DELETED', targetType: 'MAIL' });
      expectError(await mails().remove(id), 404, 'MAIL_NOT_FOUND');
    }
    expect((await mails().list()).body.total).to.equal(0);
    expect(await mails().service.records.query('select id from mail_outbox')).to.deep.equal([]);
  });

  it('records whose mail it was, of the outbox and of the queue', async () => {
    const { records, administrator } = mails().service;
    const { id: userId } = await records.user(['CUSTOMER'], { firstName: 'Ada', lastName: 'Lovelace' });
    const row = await mails().addRow(formMail('1'), { failure: 'Rejected' });
    await records.query('update mail_outbox set user_id = $1 where id = $2', [userId, row]);
    const code = await mails().queueCode({ key: 'code-1', hash: 'hash-1', holder: { id: userId } });
    const stranger = await mails().queueCode();
    const user = { id: userId, name: 'Ada Lovelace' };
    for (const [id, expected] of [
      [row, user],
      [code, user],
      [stranger, null],
    ] as const) {
      expect((await mails().remove(id)).status).to.equal(204);
      const { body } = await administrator.listAuditLog({ query: { targetId: id } });
      expect(body.data[0].user).to.deep.equal(expected);
    }
  });

  it('succeeds for one of concurrent requests', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await mails().queueRow(formMail('Help'));
      const responses = await Promise.all([mails().remove(id), mails().remove(id), mails().retry(id)]);
      const statuses = responses.map(({ status }) => status);
      expect(statuses.slice(0, 2).sort(), statuses.join()).to.deep.equal([204, 404]);
      expect(statuses[2]).to.be.oneOf([204, 404]);
    }
  });
});
