import { randomUUID } from 'node:crypto';
import { PLATFORM_ROLES } from '@platform/shared/testing/auth-client';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAdminService } from '../../testing/admin-service.ts';

describe('deletion of an account in the back office', () => {
  const service = useAdminService();
  const administrator = () => service().administrator;
  const records = () => service().records;
  const remove = (id: string) => administrator().deleteUser({ id });

  it('deletes the personal data, is audited and mailed', async () => {
    const fields = { isEmailVerified: true, language: 'de' } as const;
    const { id, email } = await records().user(['CUSTOMER'], fields);
    await records().session(id, { userAgent: 'curl/8.1' });
    await records().query('update users set last_sign_in_at = now() where id = $1', [id]);
    await records().query('insert into lead_requests (name, email) values ($1, $2)', ['Ada', email]);
    expect((await administrator().addUserNote({ id, body: { text: 'A note' } })).status).to.equal(201);
    const { status, headers } = await remove(id);
    expect(status).to.equal(204);
    const { body } = await administrator().getUser({ id });
    expect(body).to.deep.include({ email: 'deleted', name: null, lastSignInAt: null, hasPassword: false });
    for (const [table, column, value] of [
      ['token_records', 'user_id', id],
      ['sessions', 'user_id', id],
      ['customer_profiles', 'user_id', id],
      ['user_notes', 'user_id', id],
      ['lead_requests', 'email', email],
    ])
      expect(
        await records().query(`select 1 from ${table} where ${column} = $1`, [value]),
        table,
      ).to.deep.equal([]);
    const [record] = await records().auditOf(id, 'ACCOUNT_DELETED');
    expect(record).to.include({ actorId: administrator().id, requestId: headers['x-request-id'] });
    const mails = await records().query<{ mail: object }>('select mail from mail_outbox where user_id = $1', [
      id,
    ]);
    expect(mails.map(({ mail }) => mail)).to.have.lengthOf(1);
    expect(mails[0]?.mail).to.include({ template: 'account-deleted', to: email, ...fields });
  });

  it('frees the address for another account', async () => {
    const { id, email } = await records().user(['CUSTOMER']);
    expect((await remove(id)).status).to.equal(204);
    await records().user(['EMPLOYEE'], { email });
  });

  it('returns 409 for a user with a platform role, also for the caller', async () => {
    for (const role of PLATFORM_ROLES)
      expectError(await remove((await records().user([role, 'CUSTOMER'])).id), 409, 'PLATFORM_ROLE_TAKEN');
    expectError(await remove(administrator().id), 409, 'PLATFORM_ROLE_TAKEN');
  });

  it('returns 409 for the last administrator of a team, and changes nothing', async () => {
    const { id, employeeId } = await records().user(['EMPLOYEE']);
    const teamId = await records().team();
    await records().member(teamId, { employeeId, role: 'ADMINISTRATOR' });
    expectError(await remove(id), 409, 'LAST_TEAM_ADMINISTRATOR');
    expect(await records().auditOf(id)).to.deep.equal([]);
    await records().member(teamId, { role: 'ADMINISTRATOR' });
    expect((await remove(id)).status).to.equal(204);
  });

  it('returns 404 for an unknown user, and the second time', async () => {
    const { id } = await records().user(['CUSTOMER']);
    expect((await remove(id)).status).to.equal(204);
    for (const missing of [randomUUID(), id]) expectError(await remove(missing), 404, 'USER_NOT_FOUND');
    expect(await records().auditOf(id, 'ACCOUNT_DELETED')).to.have.lengthOf(1);
  });

  it('leaves nothing that other operations find, but the card', async () => {
    const { id } = await records().user(['CUSTOMER']);
    expect((await remove(id)).status).to.equal(204);
    const body = { role: 'OPERATOR' };
    for (const response of [
      await administrator().blockUser({ id }),
      await administrator().unblockUser({ id }),
      await administrator().listSessionsOfUser({ id }),
      await administrator().endSessionsOfUser({ id }),
      await administrator().endSessionOfUser({ id, sessionId: randomUUID() }),
      await administrator().removeSecondFactor({ id }),
      await administrator().assignPlatformRole({ id, body }),
      await administrator().removePlatformRole({ id }),
      await administrator().listUserNotes({ id }),
      await administrator().addUserNote({ id, body: { text: 'A note' } }),
    ])
      expectError(response, 404, 'USER_NOT_FOUND');
    expect((await administrator().getUser({ id })).status).to.equal(200);
  });
});
