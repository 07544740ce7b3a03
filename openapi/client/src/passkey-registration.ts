import { startRegistration } from '@simplewebauthn/browser';
import type { Kind } from './kinds.ts';
import type { PasskeyCreated, PasswordConfirmation } from './named-types.ts';
import type { CallSignal } from './operation-types.ts';
import { type Ceremony, forgetPasskey, inSameSession, run } from './passkey-ceremonies.ts';
import type { PlatformClient } from './platform-client.ts';
import { isPlatformError } from './platform-error.ts';
import { getSession } from './session.ts';

// A separate file, so that a page that only signs in does not load it.

type Created = { id: string; response: { authenticatorData?: string } };

const create: Ceremony<Created> = (optionsJSON) => startRegistration({ optionsJSON });

/** The authenticator data has the AAGUID from its 38th byte on (WebAuthn, 6.5.1). */
const readAaguid = ({ response: { authenticatorData = '' } }: Created): string =>
  [...atob(authenticatorData.replaceAll('-', '+').replaceAll('_', '/'))]
    .slice(37, 53)
    .map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0'))
    .join('')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

type NewPasskey = PasswordConfirmation & {
  /** Or chosen by the AAGUID of what keeps the passkey; empty where the browser does not tell. */
  name: string | ((aaguid: string) => string);
};

/**
 * Adds a passkey of this device, or of another one that the browser offers. Resolves with recovery codes, too,
 * if it is the first factor of a role that requires one; this also ends the user's other sessions.
 */
export const registerPasskey = async <K extends Kind>(
  client: PlatformClient<K>,
  { name, ...confirmation }: NewPasskey,
  options: CallSignal = {},
): Promise<PasskeyCreated> => {
  const { auth, request } = getSession(client);
  const created = await inSameSession(client, options, () =>
    run(client, 'passkeys/options', confirmation, create, options),
  );
  const { response } = created;
  const body = { response, name: typeof name === 'string' ? name : name(readAaguid(response)) };
  return await request('post', `${auth}/passkeys`, { ...options, body }).catch(async (error: unknown) => {
    // If there was no response, the passkey may be registered. After PASSKEY_TAKEN, it is registered.
    const isRefused = isPlatformError(error) && error.status >= 400 && error.status < 500;
    if (isRefused && error.code !== 'PASSKEY_TAKEN') await forgetPasskey(created);
    throw error;
  });
};
