import type { OnSessionOpened } from '../feature-types.ts';

/**
 * Mails the owner of an account about a sign-in from a device that it has no session of, except its first one. Not to an
 * unverified address, whose owner may be another person.
 */
export const createNewDeviceNotice =
  ({ isEnabled }: { isEnabled: boolean }): OnSessionOpened =>
  async (stores, { account, session, isNewDevice, device }) => {
    if (!isEnabled || !isNewDevice || !account.isEmailVerified) return;
    const { ip: address, requestId } = device;
    const signedInAt = session.updatedAt.toISOString();
    await stores.outbox.add(
      { template: 'new-device', to: account.email, language: account.language, signedInAt, address },
      requestId,
    );
  };
