import { bearer, CUSTOMER } from '@platform/shared/testing/auth-client';
import type { Device } from '@platform/shared/testing/device';
import { send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';

// A refresh needs the fingerprint. A thief of the token must not learn the fingerprint.
describe('the fingerprint of a session', () => {
  const service = useAuthService();
  const client = () => service().as('customer');
  const get = (path: string, headers: Record<string, string | undefined>) =>
    send(service().url, 'GET', path, { headers });

  const withCookie = ({ refreshToken }: Device) => ({ Cookie: `${CUSTOMER.refreshCookie}=${refreshToken}` });

  const READS: [
    name: string,
    path: string,
    toHeaders: (device: Device) => Record<string, string | undefined>,
  ][] = [
    ['GET /auth/me', '/api/v1/auth/me', bearer],
    ['the list of sessions', `${CUSTOMER.path}/sessions`, bearer],
    ['the export', `${CUSTOMER.path}/account/export`, bearer],
    ['GET session', `${CUSTOMER.path}/session`, withCookie],
  ];
  for (const [name, path, toHeaders] of READS)
    it(`is not in the response of ${name}, which a token alone can request`, async () => {
      const { device } = await client().createAccountAndDevice();
      const { status, text } = await get(path, toHeaders(device));
      expect(status, text).to.equal(200);
      expect(text).to.include(device.sessionId).and.not.to.include(device.fingerprint);
    });

  it('is in the responses of sign-in and me, whose requests contain it', async () => {
    const { device } = await client().createAccountAndDevice();
    const { body } = await client().me(device);
    expect(body.session).to.include({ id: device.sessionId, fingerprint: device.fingerprint });
  });
});
