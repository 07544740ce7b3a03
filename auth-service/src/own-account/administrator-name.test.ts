import { ADMINISTRATOR, accessHeaders, PLATFORM_ROLES } from '@platform/shared/testing/auth-client';
import type { Device } from '@platform/shared/testing/device';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';

const PATH = `${ADMINISTRATOR.path}/name`;

describe('name of an administrator', () => {
  const service = useAuthService();
  const client = () => service().as('administrator');
  const request = (device: Device, method: 'GET' | 'PATCH', body?: object) =>
    send(service().url, method, PATH, { headers: accessHeaders(device), ...(body && { body }) });
  const read = async (device: Device) => (await request(device, 'GET')).body;
  const change = (device: Device, name: unknown) => request(device, 'PATCH', { name });
  const countChanges = async (userId: string) =>
    (await service().records.auditOf(userId, 'ADMINISTRATOR_NAME_CHANGED')).length;

  for (const role of PLATFORM_ROLES)
    it(`is set and cleared by a holder of the role ${role}, and only that is recorded`, async () => {
      const user = await service().records.user([role]);
      const device = await client().openDevice(user);
      expect(await read(device)).to.deep.equal({ name: null });
      const { status, body } = await change(device, '  Grace Hopper ');
      expect([status, body]).to.deep.equal([200, { name: 'Grace Hopper' }]);
      expect(await read(device)).to.deep.equal({ name: 'Grace Hopper' });
      expect((await change(device, 'Grace Hopper')).status).to.equal(200);
      const records = await service().records.auditOf(user.id, 'ADMINISTRATOR_NAME_CHANGED');
      expect(records).to.have.lengthOf(1);
      expect(records[0]).to.deep.include({ actorId: user.id, targetType: 'USER' });
      expect(JSON.stringify(records)).not.to.include('Grace');
      expect((await change(device, null)).body).to.deep.equal({ name: null });
      expect(await read(device)).to.deep.equal({ name: null });
      expect(await countChanges(user.id)).to.equal(2);
    });

  it('is one line of 1 to 100 characters', async () => {
    const { device, account } = await client().openVerifiedAccount();
    for (const name of ['', ' \u200b', 'a'.repeat(101), 'a\nb', 'a\u202eb'])
      expectError(await change(device, name), 400, 'VALIDATION_FAILED', '/body/name');
    expectError(await request(device, 'PATCH', {}), 400, 'VALIDATION_FAILED', '/body/name');
    expect(await countChanges(account.userId)).to.equal(0);
    expect((await change(device, 'é'.repeat(100).normalize('NFD'))).body.name).to.have.lengthOf(100);
  });

  it('is in the export of the account', async () => {
    const { device } = await client().openVerifiedAccount();
    await change(device, 'Grace Hopper');
    const { body } = await client().accountExport(device);
    expect(body.user.administratorName).to.equal('Grace Hopper');
  });

  it('goes with the platform role, even if it is removed meanwhile', async () => {
    const user = await service().records.user(['OPERATOR']);
    const device = await client().openDevice(user);
    await change(device, 'Grace Hopper');
    await service().records.query('delete from user_roles where user_id = $1', [user.id]);
    expectError(await change(device, 'Ada'), 401, 'TOKEN_INVALID');
    await service().records.query(
      `insert into user_roles (user_id, role, user_created_at) select id, 'OPERATOR', created_at from users where id = $1`,
      [user.id],
    );
    expect(await read(device)).to.deep.equal({ name: null });
  });

  for (const [what, code, statement] of [
    [
      'the session has ended',
      'TOKEN_INVALID',
      'with ended as (delete from token_records where user_id = $1) select 1 from users where id = $1 for no key update',
    ],
    ['the administrator is blocked', 'USER_BLOCKED', 'update users set is_blocked = true where id = $1'],
  ] as const)
    it(`is not changed after ${what}, by a request that was under way`, async () => {
      const user = await service().records.user(['OPERATOR']);
      const device = await client().openDevice(user);
      const lock = await holdLock(service().databaseUrl, statement, [user.id]);
      const changed = change(device, 'Grace Hopper');
      await lock.commitWhenWaiting(1);
      expectError(await changed, 401, code);
      expect(await countChanges(user.id)).to.equal(0);
    });

  it('is rejected without a token', async () => {
    for (const method of ['GET', 'PATCH'] as const)
      expectError(
        await send(service().url, method, PATH, method === 'PATCH' ? { body: { name: 'Ada' } } : {}),
        401,
        'TOKEN_INVALID',
      );
  });
});
