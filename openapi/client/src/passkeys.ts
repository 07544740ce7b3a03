// biome-ignore-all lint/performance/noBarrelFile: the entry of the published package.
import { startAuthentication, WebAuthnAbortService } from '@simplewebauthn/browser';
import type { Kind } from './kinds.ts';
import type { PasskeyAssertion, SignedInAs } from './named-types.ts';
import type { CallSignal } from './operation-types.ts';
import {
  forgetPasskey,
  inSameSession,
  isPasskeyAutofillAvailable,
  type Performed,
  run,
  unavailable,
} from './passkey-ceremonies.ts';
import type { PlatformClient } from './platform-client.ts';
import { isPlatformError } from './platform-error.ts';
import { getSession } from './session.ts';

export { isPasskeyAvailable } from './passkey-availability.ts';
export { isPasskeyAutofillAvailable } from './passkey-ceremonies.ts';
export { registerPasskey } from './passkey-registration.ts';

/** The platform's challenges are valid for five minutes. */
const CHALLENGE_MILLISECONDS = 240_000;

const get = (optionsJSON: never): Promise<PasskeyAssertion> =>
  startAuthentication({ optionsJSON }) as Promise<PasskeyAssertion>;
const getByAutofill = (optionsJSON: never): Promise<PasskeyAssertion> =>
  startAuthentication({ optionsJSON, useBrowserAutofill: true }) as Promise<PasskeyAssertion>;

/**
 * Waits until the user chooses a passkey in a form field. Requests a new challenge before the previous one
 * expires.
 */
const runAutofill = async (
  client: object,
  path: string,
  options: CallSignal,
): Promise<Performed<PasskeyAssertion>> => {
  if (!(await isPasskeyAutofillAvailable())) throw unavailable();
  for (;;) {
    let isExpired = false;
    const timer = setTimeout(() => {
      isExpired = true;
      WebAuthnAbortService.cancelCeremony();
    }, CHALLENGE_MILLISECONDS);
    try {
      return await run(client, path, undefined, getByAutofill, options);
    } catch (error) {
      if (!isExpired) throw error;
    } finally {
      clearTimeout(timer);
    }
  }
};

type PasskeySignIn = CallSignal & {
  /** Opens no dialog. The browser offers passkeys in a form field with `autocomplete="username webauthn"`. */
  autofill?: boolean | undefined;
  /** Whether the session lives longer, if `getSignInMethods` offers it. */
  staySignedIn?: boolean | undefined;
  /** Called when the user has chosen a passkey, before it is sent. */
  onChosen?: (() => void) | undefined;
};

/**
 * Signs in without e-mail and password: the user chooses a passkey. Rejects with PASSKEY_NOT_FOUND if it was
 * deleted.
 */
export const signInWithPasskey = async <K extends Kind>(
  client: PlatformClient<K>,
  { autofill = false, staySignedIn, onChosen, ...options }: PasskeySignIn = {},
): Promise<SignedInAs<K>> => {
  const path = 'sign-in/passkey/options';
  const chosen = autofill
    ? await runAutofill(client, path, options)
    : await run(client, path, undefined, get, options);
  onChosen?.();
  const { response } = chosen;
  const signingIn = getSession(client).openSession('sign-in/passkey', { response, staySignedIn }, options);
  return await signingIn.catch(async (error: unknown) => {
    if (isPlatformError(error, 'PASSKEY_NOT_FOUND')) await forgetPasskey(chosen);
    throw error;
  });
};

/** The second step of a sign-in that was rejected with SECOND_FACTOR_REQUIRED. */
export const completeSignInWithPasskey = async <K extends Kind>(
  client: PlatformClient<K>,
  { challenge }: { challenge: string },
  options: CallSignal = {},
): Promise<SignedInAs<K>> => {
  const path = 'sign-in/second-factor/options';
  const { response: passkey } = await run(client, path, { challenge }, get, options);
  return await getSession(client).openSession('sign-in/second-factor', { challenge, passkey }, options);
};

/**
 * Returns the proof for a call with a `FactorConfirmation`. It is valid once, for five minutes, in this
 * session.
 */
export const confirmWithPasskey = async <K extends Kind>(
  client: PlatformClient<K>,
  options: CallSignal = {},
): Promise<{ passkey: PasskeyAssertion }> => {
  const { response: passkey } = await inSameSession(client, options, () =>
    run(client, 'second-factor/options', undefined, get, options),
  );
  return { passkey };
};
