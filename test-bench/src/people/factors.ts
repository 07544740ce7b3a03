import type { Device } from '@platform/shared/testing/device';
import { createSoftwareAuthenticator } from '@platform/shared/testing/software-authenticator';
import { totpCode } from '@platform/shared/testing/totp';
import { type AccountClient, expectStatus } from './clients.ts';

type Access = Device & { currentPassword: string };

/** Confirms with the code of the step before, so that the current one is unused. */
export const addApp = async (client: AccountClient, { currentPassword, ...device }: Access) => {
  const { secret } = await expectStatus(201, client.totpSetUp({ ...device, body: { currentPassword } }));
  const body = { code: totpCode(secret, -1) };
  const { recoveryCodes } = await expectStatus(200, client.totpConfirm({ ...device, body }));
  return { app: { secret: String(secret) }, recoveryCodes: recoveryCodes as string[] };
};

/** Returns the credential, which a virtual authenticator can take over. */
export const addPasskey = async (
  client: AccountClient,
  { currentPassword, ...device }: Access,
  origin: string,
) => {
  const authenticator = createSoftwareAuthenticator(origin);
  const options = await expectStatus(200, client.passkeyOptions({ ...device, body: { currentPassword } }));
  const body = { response: authenticator.create(options), name: 'Test bench' };
  await expectStatus(201, client.passkeyCreate({ ...device, body }));
  return authenticator.exportCredential();
};
