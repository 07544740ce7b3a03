import { randomUUID } from 'node:crypto';
import { ADVISORY_LOCKS } from '@platform/shared/db/advisory-locks';
import { PLATFORM_ROLES, type PlatformRole } from '@platform/shared/testing/auth-client';
import { holdLock } from '@platform/shared/testing/hold-lock';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { countSessions } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { type SignedInUser, useAdminService } from '../../testing/admin-service.ts';

const toPath = ({ id }: { id: string }): string => `/users/${id}/platform-role`;
const toStatus = ({ status, code }: HttpResponse): string => (code ? `${status} ${code}` : `${status}`);

describe('removal of a platform role', () => {
  const service = useAdminService();
  const administrator = () => service().administrator;
  const remove = (user: { id: string }) => administrator().send('DELETE', toPath(user));
  const rolesOf = async ({ id }: { id: string }) => {
    const rows = await service().records.query<{ role: string }>(
      'select role from user_roles where user_id = $1 order by role',
      [id],
    );
    return rows.map(({ role }) => role);
  };
  const mailsTo = async (email: string) => {
    const text = `select mail from mail_outbox where mail->>'to' = $1`;
    return (await service().records.query<{ mail: object }>(text, [email])).map(({ mail }) => mail);
  };

  for (const role of PLATFORM_ROLES)
    it(`of an ${role} ends the sessions, keeps other roles, is audited and mailed`, async () => {
      const { records, databaseUrl } = service();
      const user = await records.user([role, 'CUSTOMER'], { language: 'de' });
      await records.registeredToken(user.id, { secret: 'another-secret-of-the-tests-0000000000001' });
      const { status, headers } = await remove(user);
      expect(status).to.equal(204);
      expect(await rolesOf(user)).to.deep.equal(['CUSTOMER']);
      expect((await countSessions(databaseUrl, user.id)).tokenRecords).to.equal(0);
      const [record, ...others] = await records.auditOf(user.id);
      expect(others).to.deep.equal([]);
      expect(record).to.deep.include({
        action: 'ROLE_REMOVED',
        actorId: administrator().id,
        requestId: headers['x-request-id'],
        details: { role },
      });
      const [mail, ...moreMails] = await mailsTo(user.email);
      expect(moreMails).to.deep.equal([]);
      expect(mail).to.include({ template: 'platform-role-removed', role, language: 'de' });
    });

  it('raises the version that a sign-in which began before is bound to', async () => {
    const user = await service().records.user(['OPERATOR', 'CUSTOMER']);
    const findVersion = () =>
      service().records.query('select factor_version from users where id = $1', [user.id]);
    expect(await findVersion()).to.deep.equal([{ factor_version: 0 }]);
    expect((await remove(user)).status).to.equal(204);
    expect(await findVersion()).to.deep.equal([{ factor_version: 1 }]);
  });

  it('ends the workspace of a signed-in ADMIN at once, also of the caller', async () => {
    for (const isOwn of [false, true]) {
      const user = await service().as('ADMIN');
      expect((await user.administratorWorkspaceMe()).status).to.equal(200);
      expect((await (isOwn ? user.send('DELETE', toPath(user)) : remove(user))).status).to.equal(204);
      expectError(await user.administratorWorkspaceMe(), 401, 'TOKEN_INVALID');
    }
  });

  it('lets a former ADMIN be blocked, or delete the account', async () => {
    const { records } = service();
    const [blocked, deleted] = [
      await records.user(['ADMIN', 'CUSTOMER']),
      await records.user(['ADMIN', 'CUSTOMER']),
    ];
    expectError(await administrator().blockUser({ id: blocked.id }), 403, 'USER_IS_ADMIN');
    for (const user of [blocked, deleted]) expect((await remove(user)).status).to.equal(204);
    expect((await administrator().blockUser({ id: blocked.id })).status).to.equal(200);
    await records.deleteAccount(deleted.id);
  });

  it('deletes the account with `erase` if the user is neither a customer nor an employee', async () => {
    const { records } = service();
    const user = await records.user(['ADMIN'], { isEmailVerified: true });
    const { status } = await administrator().send('DELETE', `${toPath(user)}?erase=true`);
    expect(status).to.equal(204);
    const { body } = await administrator().getUser({ id: user.id });
    expect(body).to.include({ email: 'deleted', isEmailVerified: false }).and.deep.include({ roles: [] });
    const actions = (await records.auditOf(user.id)).map(({ action, actorId }) => [action, actorId]);
    const actorId = administrator().id;
    expect(actions).to.have.deep.members([
      ['ACCOUNT_DELETED', actorId],
      ['ROLE_REMOVED', actorId],
    ]);
    const templates = (await mailsTo(user.email)).map((mail) => 'template' in mail && mail.template);
    expect(templates).to.have.members(['account-deleted', 'platform-role-removed']);
    expectError(await remove(user), 404, 'USER_NOT_FOUND');
    await records.user([], { email: user.email });
  });

  it('returns 409 with `erase` for a customer or an employee, who keeps the role', async () => {
    for (const role of ['CUSTOMER', 'EMPLOYEE'] as const) {
      const user = await service().records.user(['OPERATOR', role]);
      expectError(await administrator().send('DELETE', `${toPath(user)}?erase=true`), 409, 'OTHER_ROLES');
      expect(await rolesOf(user)).to.deep.equal([role, 'OPERATOR'].sort());
      expect(await service().records.auditOf(user.id)).to.deep.equal([]);
      expect((await administrator().send('DELETE', `${toPath(user)}?erase=false`)).status).to.equal(204);
    }
  });

  it('returns 404 for an unknown or deleted user, and for one without a platform role', async () => {
    const { records } = service();
    const deleted = await records.user(['CUSTOMER']);
    await records.deleteAccount(deleted.id);
    for (const user of [{ id: randomUUID() }, deleted])
      expectError(await remove(user), 404, 'USER_NOT_FOUND');
    const customer = await records.user(['CUSTOMER', 'EMPLOYEE']);
    expectError(await remove(customer), 404, 'PLATFORM_ROLE_NOT_FOUND');
    expect(await rolesOf(customer)).to.deep.equal(['CUSTOMER', 'EMPLOYEE']);
    expect([await records.auditOf(customer.id), await mailsTo(customer.email)]).to.deep.equal([[], []]);
  });

  it('returns 400 for an invalid id and for a body', async () => {
    expectError(await remove({ id: 'unknown' }), 400, 'VALIDATION_FAILED', '/params/id');
    const path = toPath(await service().records.user(['OPERATOR']));
    expectError(await administrator().send('DELETE', path, { role: 'ADMIN' }), 400, 'VALIDATION_FAILED');
  });

  it('allows only an ADMIN', async () => {
    const user = await service().records.user(['OPERATOR']);
    for (const role of ['OPERATOR', 'ARBITER'] as const)
      expectError(await (await service().as(role)).send('DELETE', toPath(user)), 403, 'WORKSPACE_FORBIDDEN');
    expectError(await service().withToken().send('DELETE', toPath(user)), 401, 'TOKEN_INVALID');
    expect(await rolesOf(user)).to.deep.equal(['OPERATOR']);
  });

  it('happens once when it is requested several times at once', async () => {
    const user = await service().records.user(['ARBITER']);
    const statuses = (await Promise.all(Array.from({ length: 5 }, () => remove(user)))).map(toStatus);
    expect(statuses.toSorted()).to.deep.equal(['204', ...Array(4).fill('404 PLATFORM_ROLE_NOT_FOUND')]);
    expect(await service().records.auditOf(user.id)).to.have.lengthOf(1);
    expect(await mailsTo(user.email)).to.have.lengthOf(1);
  });
});

describe('removal of the role of the last ADMIN', () => {
  const service = useAdminService();
  /** Leaves these users as the only ADMINs. */
  const signInOnly = async (...roles: PlatformRole[]): Promise<SignedInUser[]> => {
    await service().records.query("delete from user_roles where role = 'ADMIN'");
    return await Promise.all(roles.map((role) => service().as(role)));
  };
  const listAdmins = async (): Promise<string[]> => {
    const text = `select user_id as id from user_roles where role = 'ADMIN'`;
    return (await service().records.query<{ id: string }>(text)).map(({ id }) => id);
  };

  it('returns 409, while the roles of others can be removed', async () => {
    const [admin, operator] = await signInOnly('ADMIN', 'OPERATOR');
    if (!admin || !operator) throw new Error('Two users are required');
    await service().records.query(
      "insert into user_roles (user_id, role, user_created_at) select id, 'CUSTOMER', created_at from users where id = $1",
      [admin.id],
    );
    for (const erase of ['', '?erase=true'])
      expectError(await admin.send('DELETE', `${toPath(admin)}${erase}`), 409, 'LAST_ADMINISTRATOR');
    expect((await admin.send('DELETE', toPath(operator))).status).to.equal(204);
    expect((await admin.administratorWorkspaceMe()).status).to.equal(200);
    expect(await listAdmins()).to.deep.equal([admin.id]);
  });

  it('returns 409 while the only other ADMIN is blocked', async () => {
    const [admin, blocked] = await signInOnly('ADMIN', 'ADMIN');
    if (!admin || !blocked) throw new Error('Two users are required');
    await service().records.query('update users set is_blocked = true where id = $1', [blocked.id]);
    expectError(await admin.send('DELETE', toPath(admin)), 409, 'LAST_ADMINISTRATOR');
    expect((await admin.send('DELETE', toPath(blocked))).status).to.equal(204);
  });

  it('returns 409 to one of two ADMINs who remove their own roles at once', async () => {
    const administrators = await signInOnly('ADMIN', 'ADMIN');
    // A removal that waits here has locked its own user only.
    const lock = await holdLock(service().databaseUrl, 'select pg_advisory_xact_lock($1)', [
      ADVISORY_LOCKS.administrators,
    ]);
    const pending = administrators.map((each) => each.send('DELETE', toPath(each)));
    await lock.releaseWhenWaiting(2);
    const statuses = (await Promise.all(pending)).map(toStatus);
    expect(statuses.toSorted()).to.deep.equal(['204', '409 LAST_ADMINISTRATOR']);
    expect(await listAdmins()).to.have.lengthOf(1);
  });

  it('returns 401 to one of two ADMINs who remove each other at once', async () => {
    const [one, other] = await signInOnly('ADMIN', 'ADMIN');
    if (!one || !other) throw new Error('Two users are required');
    // The removal that waits here has locked both users, and the other removal waits for them.
    const lock = await holdLock(service().databaseUrl, 'select pg_advisory_xact_lock($1)', [
      ADVISORY_LOCKS.administrators,
    ]);
    const pending = [one.send('DELETE', toPath(other)), other.send('DELETE', toPath(one))];
    await lock.releaseWhenWaiting(2);
    const statuses = (await Promise.all(pending)).map(toStatus);
    expect(statuses.toSorted()).to.deep.equal(['204', '401 TOKEN_INVALID']);
    const left = await listAdmins();
    expect(left).to.have.lengthOf(1);
    const [survivor, removed] = left[0] === one.id ? [one, other] : [other, one];
    expect((await survivor.administratorWorkspaceMe()).status).to.equal(200);
    expectError(await removed.administratorWorkspaceMe(), 401, 'TOKEN_INVALID');
  });
});
