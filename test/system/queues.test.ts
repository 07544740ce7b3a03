import { ADMINISTRATOR, createAuthClient } from '@platform/shared/testing/auth-client';
import type { Device } from '@platform/shared/testing/device';
import { createHttpClient, parseSetCookies } from '@platform/shared/testing/http-client';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { usePlatform } from './use-platform.ts';

const DASHBOARD = '/api/v1/administrator/queues';

describe('queue dashboard through the gateway', () => {
  const platform = usePlatform();
  const get = (path: string, headers: Record<string, string>) =>
    createHttpClient(platform().gatewayUrl).send({ path: `${DASHBOARD}/${path}`, headers });
  const signIn = async () =>
    createAuthClient(platform().gatewayUrl, ADMINISTRATOR).openDevice(
      await platform().records.user(['ADMIN']),
    );
  const openDashboard = async ({ accessToken }: Device): Promise<{ Cookie: string }> => {
    const headers = { Authorization: `Bearer ${accessToken}` };
    const response = await send(platform().gatewayUrl, 'POST', `${DASHBOARD}/session`, { headers });
    const [cookie] = parseSetCookies(response);
    return { Cookie: `${cookie?.name}=${cookie?.value}` };
  };

  it('lists the queues of the worker, also after a refresh, and returns 401 after the sign-out', async () => {
    const client = createAuthClient(platform().gatewayUrl, ADMINISTRATOR);
    const device = await signIn();
    const cookie = await openDashboard(device);
    const later = await client.refreshed(device);
    const { body } = await get('api/queues', cookie);
    expect(body.queues.map(({ name }: { name: string }) => name)).to.have.members(['mail', 'maintenance']);
    await client.signOut(later);
    expectError(await get('api/queues', cookie), 401, 'TOKEN_INVALID');
  });

  it('accepts changes from its own origin, and returns 403 to other origins', async () => {
    const cookie = await openDashboard(await signIn());
    const change = (origin: string) =>
      createHttpClient(platform().gatewayUrl).send({
        method: 'PUT',
        path: `${DASHBOARD}/api/queues/mail/clean/completed`,
        headers: { ...cookie, Origin: origin },
      });
    expect((await change(platform().gatewayUrl)).status).to.equal(200);
    expectError(await change('http://127.0.0.1:5173'), 403, 'WORKSPACE_FORBIDDEN');
    expectError(await change('https://evil.example'), 403, 'WORKSPACE_FORBIDDEN');
  });
});
