import { randomUUID } from 'node:crypto';
import { PLATFORM_ROLES } from '@platform/shared/testing/auth-client';
import { expectError } from '@platform/shared/testing/responses';
import { createTestRedis, type TestRedis } from '@platform/shared/testing/test-redis';
import { expect } from 'chai';
import { startAdminService, useAdminService } from '../../testing/admin-service.ts';

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

describe('a requested change of the e-mail, after a deletion in the back office', () => {
  let redis: TestRedis;
  let service: Awaited<ReturnType<typeof startAdminService>>;
  before('start admin-service with a Redis', async () => {
    redis = await createTestRedis();
    service = await startAdminService({ REDIS_URL: redis.url });
  });
  after('stop both', async () => {
    await service?.stop();
    await redis?.drop();
  });

  const request = async (userId: string) => {
    const key = `email-change:${userId}`;
    await redis.client.set(key, 'the sealed address', { EX: 900 });
    return key;
  };

  it('is gone', async () => {
    const { id } = await service.records.user(['CUSTOMER']);
    const [key, other] = [await request(id), await request(randomUUID())];
    expect((await service.administrator.deleteUser({ id })).status).to.equal(204);
    expect([await redis.client.exists(key), await redis.client.exists(other)]).to.deep.equal([0, 1]);
  });

  it('is gone when a user without another role is erased, and stays when only the role is removed', async () => {
    for (const [erase, left] of [
      [true, 0],
      [false, 1],
    ] as const) {
      const { id } = await service.records.user(['OPERATOR']);
      const key = await request(id);
      expect((await service.administrator.removePlatformRole({ id, query: { erase } })).status).to.equal(204);
      expect(await redis.client.exists(key)).to.equal(left);
    }
  });

  it('does not prevent the deletion while Redis is unavailable', async () => {
    const unavailable = await startAdminService({ REDIS_URL: 'redis://127.0.0.1:1' });
    try {
      const { id } = await unavailable.records.user(['CUSTOMER']);
      for (const status of [204, 404])
        expect((await unavailable.administrator.deleteUser({ id })).status).to.equal(status);
    } finally {
      await unavailable.stop();
    }
  });
});
