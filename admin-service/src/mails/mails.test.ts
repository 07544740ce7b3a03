import { randomUUID } from 'node:crypto';
import { listLoadedPackages } from '@platform/shared/testing/process';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { startAdminService } from '../../testing/admin-service.ts';
import { formMail, useMails } from '../../testing/mails.ts';

describe('mails of the back office', () => {
  const mails = useMails();

  it('changes neither a mail nor the audit log while the mail is being sent', async () => {
    for (const add of [() => mails().queueRow(formMail('Help')), () => mails().queueCode()]) {
      const id = await add();
      await mails().whileSending(async () => {
        expectError(await mails().retry(id), 409, 'MAIL_BEING_SENT');
        expectError(await mails().remove(id), 409, 'MAIL_BEING_SENT');
        expect(await mails().find(id)).to.include({ state: 'waiting', nextAttemptAt: null });
      });
      expect(await mails().service.records.auditOf(id)).to.deep.equal([]);
    }
  });

  it('returns 404 for an unknown mail and for the job of a mail that was sent', async () => {
    const sent = await mails().queueRow(formMail('Help'));
    await mails().service.records.query('delete from mail_outbox');
    for (const id of [randomUUID(), sent])
      for (const change of [mails().retry, mails().remove])
        expectError(await change(id), 404, 'MAIL_NOT_FOUND');
    expectError(await mails().retry('none'), 400, 'VALIDATION_FAILED', '/params/id');
  });
});

describe('mails of the back office without Redis', () => {
  it('do not load its packages before the first request', async () => {
    const needed = ['bullmq', '@redis/client'];
    expect(await listLoadedPackages('admin-service/src/mails/mail-queue-adapter.ts')).to.include.members(
      needed,
    );
    expect(await listLoadedPackages('admin-service/src/compose.ts')).not.to.include.oneOf(needed);
  });

  for (const [when, environment] of Object.entries({
    'REDIS_URL is not set': {},
    'Redis is unavailable': { REDIS_URL: 'redis://127.0.0.1:1' },
  }))
    it(`return 503 when ${when}, while other routes work`, async () => {
      const service = await startAdminService(environment);
      try {
        const { administrator } = service;
        const listed = await administrator.listMails({ query: {} });
        expectError(listed, 503, 'SERVICE_UNAVAILABLE');
        expect(listed.text).not.to.include('REDIS_URL');
        expectError(await administrator.retryMail({ id: randomUUID() }), 503, 'SERVICE_UNAVAILABLE');
        expectError(await administrator.deleteMail({ id: randomUUID() }), 503, 'SERVICE_UNAVAILABLE');
        expect((await administrator.administratorWorkspaceMe()).status).to.equal(200);
      } finally {
        await service.stop();
      }
    });
});
