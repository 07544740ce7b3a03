import { bearer, CUSTOMER } from '@platform/shared/testing/auth-client';
import type { Device } from '@platform/shared/testing/device';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';

describe('change of the profile', () => {
  const service = useAuthService();
  const client = () => service().as('customer');
  const change = (device: Device, body?: unknown) =>
    send(service().url, 'PATCH', `${CUSTOMER.path}/profile`, {
      headers: bearer(device),
      body: body as object,
    });
  const storedProfile = async (device: Device) => (await client().me(device)).body.profile;
  const auditedFields = async (userId: string) =>
    (await service().records.auditOf(userId))
      .filter(({ action }) => action === 'PROFILE_CHANGED')
      .map(({ details }) => details);

  it('sets the fields that are sent, clears those that are null, and records their names', async () => {
    const { account, device } = await client().createAccountAndDevice();
    const first = await change(device, {
      firstName: 'Grace',
      lastName: ' Hop\u200bper\n',
      phone: '+1 555 0100',
    });
    expect(first.status, first.text).to.equal(200);
    const { status, body } = await change(device, { firstName: 'Ada', phone: null });
    expect(status).to.equal(200);
    expect(body.profile).to.include({ firstName: 'Ada', lastName: 'Hopper', phone: null });
    expect(await storedProfile(device)).to.deep.equal(body.profile);
    expect(await auditedFields(account.userId)).to.deep.equal([
      { kind: CUSTOMER.kind, fields: ['firstName', 'lastName', 'phone'] },
      { kind: CUSTOMER.kind, fields: ['firstName', 'phone'] },
    ]);
  });

  it('changes and records nothing for an empty object, and for values as stored', async () => {
    const { account, device } = await client().createAccountAndDevice();
    const before = await storedProfile(device);
    for (const body of [{}, { firstName: before.firstName, phone: before.phone }])
      expect((await change(device, body)).body).to.deep.equal({ profile: before });
    expect(await storedProfile(device)).to.deep.equal(before);
    expect(await auditedFields(account.userId)).to.deep.equal([]);
  });

  it('drops undeclared fields, so that a misspelt one changes nothing', async () => {
    const { account, device } = await client().createAccountAndDevice();
    const before = await storedProfile(device);
    const response = await change(device, { firstname: 'Grace', userId: account.userId, id: 'x' });
    expect([response.status, response.body]).to.deep.equal([200, { profile: before }]);
    expect(await auditedFields(account.userId)).to.deep.equal([]);
  });

  it('applies the rules of sign-up', async () => {
    const { device } = await client().createAccountAndDevice();
    const before = await storedProfile(device);
    const invalid = [
      { firstName: '' },
      { lastName: ' \u200b' },
      { firstName: 'a'.repeat(101) },
      { phone: '1'.repeat(33) },
      { lastName: 'a\0' },
      { phone: '+1\n2' },
      { firstName: 'a\u2066b' },
      { firstName: 'Ada', phone: {} },
      undefined,
    ];
    for (const body of invalid) expectError(await change(device, body), 400, 'VALIDATION_FAILED');
    expect(await storedProfile(device)).to.deep.equal(before);
  });

  it('waits for a deletion of the account, and returns 401 then', async () => {
    const { account, device } = await client().createAccountAndDevice();
    const deletion = await holdLock(service().databaseUrl, 'select delete_account($1)', [account.userId]);
    const changing = change(device, { firstName: 'Late' });
    await deletion.commitWhenWaiting(1);
    expectError(await changing, 401, 'TOKEN_INVALID');
  });

  it('waits for what ends the session, and then changes nothing', async () => {
    const { account, device } = await client().createAccountAndDevice();
    const before = await storedProfile(device);
    const ending = await holdLock(
      service().databaseUrl,
      `with owner as (select id from users where id = $1 for update)
       delete from token_records using owner where token_records.user_id = owner.id`,
      [account.userId],
    );
    const changing = change(device, { firstName: 'Late' });
    await ending.commitWhenWaiting(1);
    expectError(await changing, 401, 'TOKEN_INVALID');
    expect(await auditedFields(account.userId)).to.deep.equal([]);
    const again = await client().openDevice(account);
    expect(await storedProfile(again)).to.deep.equal(before);
  });
});
