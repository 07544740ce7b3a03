import type { AuthClient } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { readChallenge } from '@platform/shared/testing/factor-flows';
import type { World } from './rule.ts';

export const openUnverified = async ({ auth }: World) => {
  const client = auth.as('customer');
  const { account, device } = await client.createAccountAndDevice();
  return { client, account, device, id: account.userId };
};
export const openVerified = async ({ auth }: World) => {
  const client = auth.as('customer');
  const { account, device } = await client.openVerifiedAccount();
  return { client, account, device, id: account.userId };
};

/** Returns the device with its next tokens, each time. */
export const keepRefreshed = ({ refreshed }: Pick<AuthClient, 'refreshed'>, device: Device) => {
  let current = device;
  return async (): Promise<Device> => {
    current = await refreshed(current);
    return current;
  };
};

/** Signs in with the password on a new device, which needs a code. */
export const startNewDevice = async (world: World) => {
  const { account } = await openVerified(world);
  const { email, password } = account;
  const client = world.strict.as('customer');
  const fingerprint = uniqueFingerprint();
  const challenge = readChallenge(await client.signIn({ fingerprint, body: { email, password } }));
  return { id: account.userId, client, account, fingerprint, challenge };
};
