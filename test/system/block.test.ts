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
    const response = await send(gatewayUrl, 'PATCH', `/api/v1/users/${userId}/${action}`, {
      headers: bearer(admin),
    });
    expect(response.body, response.text).to.deep.equal({ message: `User has been ${action}ed` });
  };

  for (const [kind, role] of [
    [CUSTOMER, 'CUSTOMER'],
    [EMPLOYEE, 'EMPLOYEE'],
  ] as const)
    it(`returns 401 to the next request of one of the ${kind.plural}, until the unblock`, async () => {
      const client = createAuthClient(gatewayUrl, kind);
      const user = await records.user([role]);
      const credentials = { email: user.email, password: user.password };
      const passwords = { currentPassword: user.password, newPassword: user.password };
      const requests = [
        (device: Device) => client.me(device),
        (device: Device) => client.universalMe(device),
        (device: Device) => client.checkVerified(device),
        (device: Device) => client.refresh(device),
        (device: Device) => client.changePassword(device, passwords),
        (device: Device) => client.signOut(device),
        (device: Device) => client.signIn(credentials, device.fingerprint),
      ];
      const device = await client.openDevice(credentials);
      for (const request of requests) {
        expect((await client.me(device)).status).to.equal(200);
        await change(user.id, 'block');
        expectError(await request(device), 401, 'USER_BLOCKED');
        await change(user.id, 'unblock');
      }
      await client.expectSignedIn(device);
    });

  for (const role of ['OPERATOR', 'ARBITER'] as const)
    it(`returns 401 to the next request of an ${role} at both services, until the unblock`, async () => {
      const client = createAuthClient(gatewayUrl, ADMINISTRATOR);
      const user = await records.user([role]);
      const device = await client.openDevice(user);
      const workspace = () =>
        send(gatewayUrl, 'GET', `/api/v1/${role.toLowerCase()}/me`, { headers: bearer(device) });
      const requests = [
        workspace,
        () => client.me(device),
        () => client.universalMe(device),
        () => client.refresh(device),
        () => client.signIn({ email: user.email, password: user.password }, 'device'),
      ];
      for (const request of requests) {
        expect((await workspace()).status).to.equal(200);
        await change(user.id, 'block');
        expectError(await request(), 401, 'USER_BLOCKED');
        await change(user.id, 'unblock');
      }
      expect((await workspace()).status).to.equal(200);
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

  it('returns 403 after the platform role is removed, and after a refresh, too', async () => {
    const client = createAuthClient(gatewayUrl, ADMINISTRATOR);
    const user = await records.user(['ADMIN']);
    const device = await client.openDevice(user);
    const get = (path: string, at: Device) =>
      send(gatewayUrl, 'GET', `/api/v1${path}`, { headers: bearer(at) });
    expect((await get('/administrator/me', device)).body.platformRole).to.equal('ADMIN');
    await records.removeRoles(user.id);
    await records.giveRole(user.id, 'OPERATOR');
    expectError(await get('/administrator/me', device), 403, 'WORKSPACE_FORBIDDEN');
    expectError(await get('/operator/me', device), 403, 'WORKSPACE_FORBIDDEN');
    await records.removeRoles(user.id);
    expectError(await get('/administrator/me', device), 403, 'PLATFORM_ROLE_INVALID');
    const refreshed = await client.refreshed(device);
    for (const path of [
      '/users',
      '/users/me',
      '/projects',
      '/administrator/teams',
      '/administrator/me',
      '/operator/me',
      '/arbiter/me',
    ])
      expectError(await get(path, refreshed), 403, 'PLATFORM_ROLE_INVALID');
    expectError(await get('/users', device), 401, 'TOKEN_INVALID');
  });
});
