import { randomUUID } from 'node:crypto';
import { createMailCipher, openMailJob } from '@platform/shared/platform/mail/mail-encryption';
import { MAIL_QUEUE } from '@platform/shared/platform/mail/mail-queue';
import { parseMailJob } from '@platform/shared/platform/mail/parse-mail-job';
import { expectError } from '@platform/shared/testing/responses';
import { createTestRedis, type TestRedis } from '@platform/shared/testing/test-redis';
import { Queue } from 'bullmq';
import { expect } from 'chai';
import { CODE_SECRET, type RunningAdminService, startAdminService } from '../../testing/admin-service.ts';

const cipher = createMailCipher({ current: CODE_SECRET, previous: [] });

describe('code that an administrator sends', () => {
  let redis: TestRedis;
  let service: RunningAdminService;
  let queue: Queue;
  before(async () => {
    redis = await createTestRedis();
    service = await startAdminService({ REDIS_URL: redis.url });
    queue = new Queue(MAIL_QUEUE, { connection: redis.client });
  });
  after(async () => {
    await queue?.close();
    await service?.stop();
    await redis?.drop();
  });
  const send = (id: string, path: string) => service.administrator.send('POST', `/users/${id}/${path}`);
  const mailsTo = async (email: string) =>
    (await queue.getJobs(['waiting', 'prioritized']))
      .map(({ data }) => ({ ...parseMailJob(openMailJob(data, cipher)), storedCode: data.storedCode }))
      .filter(({ mail }) => 'to' in mail && mail.to === email);

  for (const [path, template, action] of [
    ['reset-mail', 'reset-password-code', 'RESET_MAIL_SENT'],
    ['verification-mail', 'verification-code', 'VERIFICATION_MAIL_SENT'],
  ] as const) {
    it(`is that of the sign-in page, for blocked users too, recorded without the code: ${path}`, async () => {
      const user = await service.records.user(['EMPLOYEE'], { language: 'de', isBlocked: true });
      const { status, body } = await send(user.id, path);
      expect([status, body]).to.deep.equal([202, { expiresIn: 900, resendIn: 120 }]);
      const [job, ...others] = await mailsTo(user.email);
      expect(others).to.deep.equal([]);
      expect(job?.mail).to.include({ template, language: 'de', kind: 'employee', userId: user.id });
      expect(job?.mail).to.include({ byAdministrator: true });
      expect(await redis.client.hGet(job?.storedCode?.key ?? '', 'hash')).to.equal(job?.storedCode?.hash);
      const [record] = await service.records.auditOf(user.id, action);
      expect(record).to.deep.include({ actorId: service.administrator.id, details: {} });
      const locked = await send(user.id, path);
      expectError(locked, 429, 'RESEND_LOCKED');
      expect(Number(locked.headers['retry-after'])).to.be.within(1, 120);
      expect(await service.records.auditOf(user.id, action)).to.have.lengthOf(1);
    });

    it(`needs a customer or an employee, customers first: ${path}`, async () => {
      const operator = await service.records.user(['OPERATOR']);
      expectError(await send(operator.id, path), 409, 'KIND_MISSING');
      const both = await service.records.user(['CUSTOMER', 'EMPLOYEE']);
      expect((await send(both.id, path)).status).to.equal(202);
      expect((await mailsTo(both.email))[0]?.mail).to.include({ kind: 'customer' });
      const deleted = await service.records.user(['CUSTOMER']);
      await service.records.deleteAccount(deleted.id);
      for (const id of [deleted.id, randomUUID()]) expectError(await send(id, path), 404, 'USER_NOT_FOUND');
    });
  }

  it('verifies no address that is verified', async () => {
    const { id } = await service.records.user(['CUSTOMER'], { isEmailVerified: true });
    expectError(await send(id, 'verification-mail'), 409, 'EMAIL_ALREADY_VERIFIED');
    expect((await send(id, 'reset-mail')).status).to.equal(202);
  });

  it('is refused without Redis, and leaves no record', async () => {
    const unavailable = await startAdminService({ REDIS_URL: 'redis://127.0.0.1:1' });
    try {
      const { id } = await unavailable.records.user(['CUSTOMER']);
      const response = await unavailable.administrator.send('POST', `/users/${id}/reset-mail`);
      expect(response.status).to.equal(503);
      expect(await unavailable.records.auditOf(id)).to.deep.equal([]);
    } finally {
      await unavailable.stop();
    }
  });
});
