import { startRegistration } from '@simplewebauthn/browser';
import type { Kind } from './kinds.ts';
import type { PasskeyCreated } from './named-types.ts';
import type { CallSignal } from './operation-types.ts';
import { type Ceremony, forgetPasskey, inSameSession, run } from './passkey-ceremonies.ts';
import type { PlatformClient } from './platform-client.ts';
import { isPlatformError } from './platform-error.ts';
import { getSession } from './session.ts';

// A separate file, so that a page that only signs in does not load it.

const create: Ceremony<{ id: string }> = (optionsJSON) => startRegistration({ optionsJSON });

/**
 * Adds a passkey of this device, or of another one that the browser offers. Resolves with recovery codes, too,
 * if it is the first factor of a role that requires one; this also ends the user's other sessions.
 */
export const registerPasskey = async <K extends Kind>(
  client: PlatformClient<K>,
  { currentPassword, name }: { currentPassword: string; name: string },
  options: CallSignal = {},
): Promise<PasskeyCreated> => {
  const { auth, request } = getSession(client);
  const created = await inSameSession(client, options, () =>
    run(client, 'passkeys/options', { currentPassword }, create, options),
  );
  const body = { response: created.response, name };
  return await request('post', `${auth}/passkeys`, { ...options, body }).catch(async (error: unknown) => {
    // If there was no response, the passkey may be registered. After PASSKEY_TAKEN, it is registered.
    const isRefused = isPlatformError(error) && error.status >= 400 && error.status < 500;
    if (isRefused && error.code !== 'PASSKEY_TAKEN') await forgetPasskey(created);
    throw error;
  });
};
