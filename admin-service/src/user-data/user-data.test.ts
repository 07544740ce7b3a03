import { randomUUID } from 'node:crypto';
import { setProof } from '@platform/shared/testing/recent-proof';
import { expectError } from '@platform/shared/testing/responses';
import { addSecondFactor } from '@platform/shared/testing/second-factors';
import { expect } from 'chai';
import { useAdminService, withQuery } from '../../testing/admin-service.ts';

describe('data of a user', () => {
  const service = useAdminService();
  const administrator = () => service().administrator;
  const records = () => service().records;

  describe('export', () => {
    const read = (id: string, auditCursor?: string, by = administrator()) =>
      by.exportUser({ id, query: auditCursor === undefined ? {} : { auditCursor } });

    it('returns what the own export does, and is recorded with the administrator', async () => {
      const user = await records().user(['CUSTOMER'], { firstName: 'Grace', isEmailVerified: true });
      await addSecondFactor(records(), user.id);
      await records().project({ ownerId: user.id, title: 'Shop' });
      await administrator().addUserNote({ id: user.id, body: { text: 'Secret note' } });
      const { status, body, text } = await read(user.id);
      expect(status, text).to.equal(200);
      expect(body.user).to.include({ id: user.id, email: user.email });
      expect(body.profiles.customer).to.include({ firstName: 'Grace' });
      expect(body.projects[0]).to.include({ title: 'Shop' });
      expect(body.secondFactor).to.deep.include({ recoveryCodesLeft: 2, isRequired: true });
      expect(body.secondFactor.passkeys[0]).to.include({ name: 'Key' });
      expect(body).to.deep.include({ hasPassword: true, pauses: [], nextAuditCursor: null });
      expect(text).not.to.match(/Secret note|sealed|password_hash|factor_version/i);
      expect((await records().auditOf(user.id, 'ACCOUNT_EXPORTED'))[0]).to.deep.include({
        actorId: administrator().id,
        targetType: 'USER',
      });
    });

    it('returns further audit records by the cursor of this user alone', async () => {
      const [one, other] = [await records().user(['CUSTOMER']), await records().user(['CUSTOMER'])];
      await records().query(
        `insert into audit_records (action, target_type, target_id, request_id, address, created_at)
         select 'PASSWORD_CHANGED', 'USER', $1, 'test', '127.0.0.1', now() - make_interval(secs => n)
         from generate_series(1, 5001) n`,
        [one.id],
      );
      const first = (await read(one.id)).body;
      expect(first.auditRecords).to.have.lengthOf(5_000);
      const { status, body } = await read(one.id.toUpperCase(), first.nextAuditCursor);
      expect(status).to.equal(200);
      expect(body).to.have.all.keys('auditRecords', 'nextAuditCursor');
      expect(body.nextAuditCursor).to.equal(null);
      for (const cursor of [first.nextAuditCursor, 'x'])
        expectError(await read(other.id, cursor), 400, 'VALIDATION_FAILED', '/query/auditCursor');
    });

    it('wants a recent proof, and is not found for unknown and deleted users', async () => {
      const stale = await service().as('ADMIN');
      await setProof(service().databaseUrl, { userId: stale.id });
      const { id } = await records().user(['CUSTOMER']);
      expectError(await read(id, undefined, stale), 403, 'PROOF_REQUIRED');
      await records().deleteAccount(id);
      for (const each of [id, randomUUID()]) expectError(await read(each), 404, 'USER_NOT_FOUND');
      expectError(
        await administrator().send('GET', withQuery(`/users/${id}/export`, { all: true })),
        400,
        'VALIDATION_FAILED',
        '/query/all',
      );
    });
  });
});
