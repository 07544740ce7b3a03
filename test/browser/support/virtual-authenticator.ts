import type { Page } from 'playwright-core';

/** Simulates the sensor of a laptop or phone, which stores passkeys and verifies the user. */
const OPTIONS = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
} as const;

/**
 * Gives the page an authenticator that confirms each request at once, by the domain WebAuthn of the DevTools
 * protocol.
 */
export const addVirtualAuthenticator = async (page: Page) => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options: OPTIONS });
  const readCredentials = async () =>
    (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
  const addCredentials = async (credentials: Awaited<ReturnType<typeof readCredentials>>): Promise<void> => {
    for (const credential of credentials)
      await devtools.send('WebAuthn.addCredential', { authenticatorId, credential });
  };
  return {
    addCredentials,
    countPasskeys: async (): Promise<number> => (await readCredentials()).length,
    /** Gives another authenticator the same passkeys, as a password manager does. */
    share: async (other: { addCredentials: typeof addCredentials }): Promise<void> =>
      other.addCredentials(await readCredentials()),
    /** Removes the device with its passkeys, as if it were lost. */
    remove: () => devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
    /** While it is false, the user rejects each request. */
    setUserVerified: (isUserVerified: boolean) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    /** While it is false, a request waits for the user. */
    setUserPresent: (enabled: boolean) =>
      devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
  };
};
