import { randomUUID } from 'node:crypto';
import { PLATFORM_ROLES } from '@platform/shared/testing/auth-client';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { lockUser } from '@platform/shared/testing/hold-lock';
import { formatStatus } from '@platform/shared/testing/http-client';
import { countSessions } from '@platform/shared/testing/query-database';
import type { Role } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAdminService } from '../../testing/admin-service.ts';

describe('assignment of a platform role', () => {
  const service = useAdminService();
  const administrator = () => service().administrator;
  const records = () => service().records;
  const assign = ({ id }: { id: string }, role: string) =>
    administrator().send('POST', `/users/${id}/platform-role`, { role });
  const verifiedUser = (roles: readonly Role[] = ['CUSTOMER'], fields = {}) =>
    records().user(roles, { isEmailVerified: true, ...fields });
  const addRecords = (actorId: string, action: string, count: number, details: object = {}) =>
    records().query(
      `insert into audit_records (action, actor_id, target_type, target_id, request_id, address, details)
       select $2, $1, 'USER', gen_random_uuid(), 'request', 'address', $4 from generate_series(1, $3::int)`,
      [actorId, action, count, details],
    );
  const rolesOf = async ({ id }: { id: string }) =>
    (await administrator().getUser({ id })).body.roles as string[];

  for (const role of PLATFORM_ROLES)
    it(`of ${role} ends the sessions, is audited and mailed, and returns the user`, async () => {
      const user = await verifiedUser(['EMPLOYEE'], { language: 'de' });
      await records().registeredToken(user.id, { secret: 'another-secret-of-the-tests-0000000000001' });
      const { status, body, headers } = await assign(user, role);
      expect(status).to.equal(200);
      expect(body).to.deep.equal((await administrator().getUser({ id: user.id })).body);
      expect(body.roles).to.have.members(['EMPLOYEE', role]);
      expect((await countSessions(service().databaseUrl, user.id)).tokenRecords).to.equal(0);
      const [record, ...others] = await records().auditOf(user.id);
      expect(others).to.deep.equal([]);
      expect(record).to.deep.include({
        action: 'ROLE_ASSIGNED',
        actorId: administrator().id,
        requestId: headers['x-request-id'],
        details: { role },
      });
      const text = `select mail from mail_outbox where user_id = $1`;
      const mails = await records().query<{ mail: object }>(text, [user.id]);
      expect(mails.map(({ mail }) => mail)).to.have.lengthOf(1);
      expect(mails[0]?.mail).to.include({
        template: 'platform-role-assigned',
        to: user.email,
        language: 'de',
        role,
        isEmailVerified: true,
      });
    });

  it('mails the ADMIN who gives the role', async () => {
    const giver = await service().as('ADMIN');
    const { id, email } = await verifiedUser();
    expect((await giver.assignPlatformRole({ id, body: { role: 'OPERATOR' } })).status).to.equal(200);
    const text = 'select mail from mail_outbox where user_id = $1';
    const [mail, ...others] = await records().query<{ mail: object }>(text, [giver.id]);
    expect(others).to.deep.equal([]);
    const fields = { template: 'platform-role-given', to: giver.email, email, role: 'OPERATOR' };
    expect(mail?.mail).to.include(fields);
  });

  it('returns 429 after twenty roles of any kind within an hour, before it looks for the user', async () => {
    const giver = await service().as('ADMIN');
    const give = (id: string) => giver.assignPlatformRole({ id, body: { role: 'OPERATOR' } });
    for (const action of ['ADMINISTRATOR_REGISTERED', 'INVITATION_SENT', 'ROLE_ASSIGNED'])
      await addRecords(giver.id, action, 6);
    // Neither was given now: an accepted invitation counted when it was sent.
    await addRecords(giver.id, 'ROLE_ASSIGNED', 6, { role: 'OPERATOR', invitationId: randomUUID() });
    expectError(await give(randomUUID()), 404, 'USER_NOT_FOUND');
    const lock = await lockUser(service().databaseUrl, giver.id);
    const giving = await Promise.all([verifiedUser(), verifiedUser(), verifiedUser()]).then((users) =>
      users.map(({ id }) => give(id)),
    );
    await lock.commitWhenWaiting(giving.length);
    const statuses = (await Promise.all(giving)).map(formatStatus);
    expect(statuses).to.have.members(['200', '200', '429 RATE_LIMITED']);
    const rejected = await give(randomUUID());
    expectError(rejected, 429, 'RATE_LIMITED');
    expect(Number(rejected.headers['retry-after'])).to.be.within(3_500, 3_600);
  });

  const elsewhere = () => uniqueEmail().replace('example.com', 'example.net');
  for (const [status, code, roles, fields] of [
    [409, 'PLATFORM_ROLE_TAKEN', ['ARBITER'], { isBlocked: true, isEmailVerified: false }],
    [409, 'USER_IS_BLOCKED', [], { isBlocked: true, isEmailVerified: false, email: elsewhere() }],
    [403, 'EMAIL_NOT_VERIFIED', [], { isEmailVerified: false, email: elsewhere() }],
    [403, 'DOMAIN_NOT_ALLOWED', [], { email: elsewhere() }],
  ] as const)
    it(`returns ${status} ${code} for [${roles}] with ${JSON.stringify(fields)}`, async () => {
      const user = await verifiedUser(roles, fields);
      expectError(await assign(user, 'OPERATOR'), status, code);
      expect(await rolesOf(user)).to.deep.equal(roles);
      expect(await records().auditOf(user.id)).to.deep.equal([]);
    });

  it('returns 404 for an unknown and a deleted user, and 400 for a role of another kind', async () => {
    const deleted = await verifiedUser();
    await records().deleteAccount(deleted.id);
    for (const user of [deleted, { id: randomUUID() }])
      expectError(await assign(user, 'ADMIN'), 404, 'USER_NOT_FOUND');
    for (const role of ['CUSTOMER', 'admin', ''])
      expectError(await assign(await verifiedUser(), role), 400, 'VALIDATION_FAILED', '/body/role');
  });

  it('assigns one of two concurrent roles', async () => {
    const user = await verifiedUser();
    const responses = await Promise.all([assign(user, 'OPERATOR'), assign(user, 'ARBITER')]);
    expect(responses.map(formatStatus)).to.have.members(['200', '409 PLATFORM_ROLE_TAKEN']);
    expect(await rolesOf(user)).to.have.lengthOf(2);
  });
});
