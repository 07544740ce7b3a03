import {
  ADMINISTRATOR,
  bearer,
  CUSTOMER,
  createAuthClient,
  type Device,
  EMPLOYEE,
} from '@platform/shared/testing/auth-client';
import type { Records } from '@platform/shared/testing/records';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { usePlatform } from './use-platform.ts';

describe('block of a user', () => {
  const platform = usePlatform();
  let gatewayUrl: string;
  let records: Records;
  let admin: Device;
  before('sign in an ADMIN', async () => {
    ({ gatewayUrl, records } = platform());
    admin = await createAuthClient(gatewayUrl, ADMINISTRATOR).openDevice(await records.user(['ADMIN']));
  });

  const change = async (userId: string, action: 'block' | 'unblock'): Promise<void> => {
    const headers = bearer(admin);
    const response = await send(gatewayUrl, 'PATCH', `/api/v1/users/${userId}/${action}`, { headers });
    expect(response.body, response.text).to.deep.equal({ message: `User has been ${action}ed` });
  };

  for (const [kind, role] of [
    [CUSTOMER, 'CUSTOMER'],
    [EMPLOYEE, 'EMPLOYEE'],
    [ADMINISTRATOR, 'OPERATOR'],
    [ADMINISTRATOR, 'ARBITER'],
  ] as const)
    it(`returns 401 to the next request of a user with the role ${role}, until the unblock`, async () => {
      const client = createAuthClient(gatewayUrl, kind);
      const { id, email, password } = await records.user([role]);
      const passwords = { currentPassword: password, newPassword: password };
      const workspace = (device: Device) =>
        send(gatewayUrl, 'GET', `/api/v1/${role.toLowerCase()}/me`, { headers: bearer(device) });
      const requests = [
        ...[client.me, client.universalMe, client.checkVerified, client.refresh, client.signOut],
        (device: Device) => client.changePassword(device, passwords),
        (device: Device) => client.signIn({ email, password }, device.fingerprint),
        ...(kind === ADMINISTRATOR ? [workspace] : []),
      ];
      const device = await client.openDevice({ email, password });
      for (const request of requests) {
        expect((await client.me(device)).status).to.equal(200);
        await change(id, 'block');
        expectError(await request(device), 401, 'USER_BLOCKED');
        await change(id, 'unblock');
      }
      await client.expectSignedIn(device);
    });

  it('applies to every device of the user, and to no other user', async () => {
    const client = createAuthClient(gatewayUrl, CUSTOMER);
    const [blocked, other] = [await records.user(['CUSTOMER']), await records.user(['CUSTOMER'])];
    const devices = [await client.openDevice(blocked), await client.openDevice(blocked)];
    const otherDevice = await client.openDevice(other);
    await change(blocked.id, 'block');
    for (const device of devices) expectError(await client.me(device), 401, 'USER_BLOCKED');
    expect((await client.me(otherDevice)).status).to.equal(200);
  });
});
