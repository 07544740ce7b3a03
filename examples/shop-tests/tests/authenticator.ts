import type { Person } from '@platform/test-bench';
import type { Page } from '@playwright/test';

const LAPTOP = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  // Otherwise it would also confirm what the browser offers in the field, before anybody presses the button.
  automaticPresenceSimulation: false,
} as const;

/** Gives the browser the passkey of the person. `touch` confirms the dialogs of the browser from then on. */
export const addAuthenticator = async (page: Page, { passkey }: Person) => {
  if (!passkey) throw new Error('This person has no passkey');
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options: LAPTOP });
  await devtools.send('WebAuthn.addCredential', { authenticatorId, credential: passkey.credential });
  return {
    touch: () => devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: true }),
  };
};
