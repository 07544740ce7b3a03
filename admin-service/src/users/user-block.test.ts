import { holdLock } from '@platform/shared/testing/hold-lock';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { ACCESS_SECRET, useAdminService } from '../../testing/admin-service.ts';

describe('user block', () => {
  const service = useAdminService();
  const administrator = () => service().administrator;
  const block = (id: string) => administrator().blockUser({ id });
  const unblock = (id: string) => administrator().unblockUser({ id });
  const isBlocked = async (id: string) => (await administrator().getUser({ id })).body.isBlocked;

  for (const roles of [
    ['CUSTOMER'],
    ['EMPLOYEE'],
    ['OPERATOR'],
    ['ARBITER'],
    ['CUSTOMER', 'EMPLOYEE'],
    [],
  ] as const)
    it(`returns 200 and blocks a user with the roles [${roles}]`, async () => {
      const { id } = await service().records.user(roles);
      const { status, body } = await block(id);
      expect({ status, body }).to.deep.equal({ status: 200, body: { message: 'User has been blocked' } });
      expect(await isBlocked(id)).to.equal(true);
    });

  it('returns 403 for a user with the role ADMIN and changes nothing', async () => {
    const { records } = service();
    for (const roles of [['ADMIN'], ['ADMIN', 'CUSTOMER']] as const) {
      const { id } = await records.user(roles);
      const response = await block(id);
      expectError(response, 403, 'USER_IS_ADMIN');
      expect(response.body.message).to.equal('Cannot block a user with ADMIN role');
      expect(await isBlocked(id)).to.equal(false);
    }
  });

  it('returns 403 when administrators block themselves', async () => {
    expectError(await block(administrator().id), 403, 'USER_IS_ADMIN');
    expect((await administrator().administratorWorkspaceMe()).status).to.equal(200);
  });

  it('checks the role ADMIN before the block', async () => {
    const { id } = await service().records.user(['ADMIN'], { isBlocked: true });
    expectError(await block(id), 403, 'USER_IS_ADMIN');
  });

  it('returns 400 for a user who is already blocked', async () => {
    const { id } = await service().records.user(['CUSTOMER'], { isBlocked: true });
    expectError(await block(id), 400, 'USER_ALREADY_BLOCKED');
    expect(await isBlocked(id)).to.equal(true);
  });

  it('returns 200 and unblocks a blocked user', async () => {
    const { id } = await service().records.user(['CUSTOMER'], { isBlocked: true });
    const { status, body } = await unblock(id);
    expect({ status, body }).to.deep.equal({ status: 200, body: { message: 'User has been unblocked' } });
    expect(await isBlocked(id)).to.equal(false);
  });

  it('returns 400 when the user to unblock is not blocked', async () => {
    const { id } = await service().records.user(['CUSTOMER']);
    expectError(await unblock(id), 400, 'USER_NOT_BLOCKED');
    await block(id);
    expect((await unblock(id)).status).to.equal(200);
    expectError(await unblock(id), 400, 'USER_NOT_BLOCKED');
  });

  it('unblocks an ADMIN who was blocked before getting the role', async () => {
    const { id } = await service().records.user(['ADMIN'], { isBlocked: true });
    expect((await unblock(id)).status).to.equal(200);
  });

  it('changes only isBlocked and updatedAt', async () => {
    const { id } = await service().records.user(['CUSTOMER', 'OPERATOR'], { isEmailVerified: true });
    const { body: before } = await administrator().getUser({ id });
    await block(id);
    const { body: after } = await administrator().getUser({ id });
    expect(after.updatedAt >= before.updatedAt).to.equal(true);
    const { blockedAt, block: latest, ...others } = after;
    expect(latest.at).to.equal(blockedAt);
    expect({ ...others, updatedAt: 0, block: null }).to.deep.equal({
      ...before,
      isBlocked: true,
      updatedAt: 0,
    });
  });

  it('returns 401 for the next request of a blocked operator, and 200 after the unblock', async () => {
    const caller = await service().as('OPERATOR');
    const { id } = caller;
    expect((await caller.operatorWorkspaceMe()).status).to.equal(200);
    await block(id);
    expectError(await caller.operatorWorkspaceMe(), 401, 'USER_BLOCKED');
    await unblock(id);
    expect((await caller.operatorWorkspaceMe()).status).to.equal(200);
  });

  it('returns 200 once for ten concurrent blocks', async () => {
    const { id } = await service().records.user(['CUSTOMER']);
    const responses = await Promise.all(Array.from({ length: 10 }, () => block(id)));
    const codes = responses.map(({ status, body }) => body.code ?? status);
    expect(codes.filter((code) => code === 200)).to.have.lengthOf(1);
    expect(codes.filter((code) => code === 'USER_ALREADY_BLOCKED')).to.have.lengthOf(9);
    const actions = (await service().records.auditOf(id)).map(({ action }) => action);
    expect(actions).to.deep.equal(['USER_BLOCKED']);
  });

  it('returns 403 when the user becomes an ADMIN while the block waits for the lock', async () => {
    const { databaseUrl, records } = service();
    const { id } = await records.user(['CUSTOMER']);
    // Like `npm run role:assign`, the statement locks the user's row and inserts the role.
    const assignment = await holdLock(
      databaseUrl,
      `with locked as (select id, created_at from users where id = '${id}' for no key update)
       insert into user_roles (user_id, role, user_created_at) select id, 'ADMIN', created_at from locked`,
    );
    const response = block(id);
    await assignment.commitWhenWaiting(1);
    expectError(await response, 403, 'USER_IS_ADMIN');
    expect(await isBlocked(id)).to.equal(false);
  });

  it('returns 403 and blocks nobody when the token claims another role', async () => {
    const { records, withToken } = service();
    const { id } = await records.user(['ADMIN']);
    const token = await records.registeredToken(id, { secret: ACCESS_SECRET, platformRole: 'OPERATOR' });
    const target = await records.user(['CUSTOMER']);
    expectError(await withToken(token).blockUser({ id: target.id }), 403, 'WORKSPACE_FORBIDDEN');
    expect(await isBlocked(target.id)).to.equal(false);
  });
});
