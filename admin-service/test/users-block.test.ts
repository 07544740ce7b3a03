import { randomUUID } from 'node:crypto';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { ACCESS_SECRET, useAdministrator, useAdminService } from './admin-service.ts';

describe('To block a user', () => {
  const service = useAdminService();
  const administrator = useAdministrator(service);
  const block = (id: string) => administrator().api.patch(`/users/${id}/block`);
  const unblock = (id: string) => administrator().api.patch(`/users/${id}/unblock`);
  const isBlocked = async (id: string) => (await administrator().api.get(`/users/${id}`)).body.isBlocked;

  for (const roles of [
    ['CUSTOMER'],
    ['EMPLOYEE'],
    ['OPERATOR'],
    ['ARBITER'],
    ['CUSTOMER', 'EMPLOYEE'],
    [],
  ] as const)
    it(`When a user with the roles [${roles}] is blocked, then the answer says so and the user is blocked`, async () => {
      const { id } = await service().records.user(roles);
      const { status, body } = await block(id);
      expect({ status, body }).to.deep.equal({ status: 200, body: { message: 'User has been blocked' } });
      expect(await isBlocked(id)).to.equal(true);
    });

  it('When the user is not found, then 404', async () => {
    expectError(await block(randomUUID()), 404, 'USER_NOT_FOUND');
    expectError(await unblock(randomUUID()), 404, 'USER_NOT_FOUND');
  });

  it('When the user holds the role ADMIN, among others too, then 403 with this message, and nothing changes', async () => {
    const { records } = service();
    for (const roles of [['ADMIN'], ['ADMIN', 'CUSTOMER']] as const) {
      const { id } = await records.user(roles);
      const answer = await block(id);
      expectError(answer, 403, 'USER_IS_ADMIN');
      expect(answer.body.message).to.equal('Cannot block a user with ADMIN role');
      expect(await isBlocked(id)).to.equal(false);
    }
  });

  it('When administrators block themselves, then 403: they hold the role ADMIN', async () => {
    expectError(await block(administrator().id), 403, 'USER_IS_ADMIN');
    expect((await administrator().api.get('/administrator/me')).status).to.equal(200);
  });

  it('When a blocked user holds the role ADMIN, then the role is judged first', async () => {
    const { id } = await service().records.user(['ADMIN'], { isBlocked: true });
    expectError(await block(id), 403, 'USER_IS_ADMIN');
  });

  it('When the user is blocked already, then 400, and the user stays blocked', async () => {
    const { id } = await service().records.user(['CUSTOMER'], { isBlocked: true });
    expectError(await block(id), 400, 'USER_ALREADY_BLOCKED');
    expect(await isBlocked(id)).to.equal(true);
  });

  it('When the user is unblocked, then the answer says so and the user is not blocked', async () => {
    const { id } = await service().records.user(['CUSTOMER'], { isBlocked: true });
    const { status, body } = await unblock(id);
    expect({ status, body }).to.deep.equal({ status: 200, body: { message: 'User has been unblocked' } });
    expect(await isBlocked(id)).to.equal(false);
  });

  it('When the user to unblock is not blocked, then 400', async () => {
    const { id } = await service().records.user(['CUSTOMER']);
    expectError(await unblock(id), 400, 'USER_NOT_BLOCKED');
    await block(id);
    expect((await unblock(id)).status).to.equal(200);
    expectError(await unblock(id), 400, 'USER_NOT_BLOCKED');
  });

  it('When an ADMIN was blocked before becoming one, then the unblock is allowed', async () => {
    const { id } = await service().records.user(['ADMIN'], { isBlocked: true });
    expect((await unblock(id)).status).to.equal(200);
  });

  it('When the user is blocked, then nothing else of the user changes but the time of the change', async () => {
    const { id } = await service().records.user(['CUSTOMER', 'OPERATOR'], { isEmailVerified: true });
    const { body: before } = await administrator().api.get(`/users/${id}`);
    await block(id);
    const { body: after } = await administrator().api.get(`/users/${id}`);
    expect(after.updatedAt >= before.updatedAt).to.equal(true);
    expect({ ...after, updatedAt: 0 }).to.deep.equal({ ...before, isBlocked: true, updatedAt: 0 });
  });

  it('When a user of the back-office is blocked, then the very next request is refused, and served after the unblock', async () => {
    const { id, api } = await service().member('OPERATOR');
    expect((await api.get('/operator/me')).status).to.equal(200);
    await block(id);
    expectError(await api.get('/operator/me'), 401, 'USER_BLOCKED');
    await unblock(id);
    expect((await api.get('/operator/me')).status).to.equal(200);
  });

  it('When ten administrators block a user at once, then one succeeds and the others learn that it is done', async () => {
    const { id } = await service().records.user(['CUSTOMER']);
    const answers = await Promise.all(Array.from({ length: 10 }, () => block(id)));
    const codes = answers.map(({ status, body }) => body.code ?? status);
    expect(codes.filter((code) => code === 200)).to.have.lengthOf(1);
    expect(codes.filter((code) => code === 'USER_ALREADY_BLOCKED')).to.have.lengthOf(9);
    const actions = (await service().records.auditOf(id)).map(({ action }) => action);
    expect(actions).to.deep.equal(['USER_BLOCKED']);
  });

  it('When the user becomes an ADMIN while the block waits, then 403: no ADMIN is ever blocked', async () => {
    const { databaseUrl, records } = service();
    const { id } = await records.user(['CUSTOMER']);
    // As `npm run role:assign` does: the user's row is locked, the role is inserted.
    const assignment = await holdLock(
      databaseUrl,
      `with locked as (select id from users where id = '${id}' for no key update)
       insert into user_roles (user_id, role) select id, 'ADMIN' from locked`,
    );
    const answer = block(id);
    await assignment.untilWaiting(1);
    await assignment.commit();
    expectError(await answer, 403, 'USER_IS_ADMIN');
    expect(await isBlocked(id)).to.equal(false);
  });

  it('When the token claims another role than ADMIN, then nobody is blocked', async () => {
    const { records, api } = service();
    const { id } = await records.user([]);
    const token = await records.registeredToken(id, { secret: ACCESS_SECRET, platformRole: 'OPERATOR' });
    const target = await records.user(['CUSTOMER']);
    expectError(await api(token).patch(`/users/${target.id}/block`), 403, 'WORKSPACE_FORBIDDEN');
    expect(await isBlocked(target.id)).to.equal(false);
  });
});
