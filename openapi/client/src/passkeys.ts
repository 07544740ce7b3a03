import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';
import { abortable } from './abortable.ts';
import type { Kind } from './kinds.ts';
import type { Passkey, PasskeyAssertion, SignedInAs } from './named-types.ts';
import type { CallSignal } from './operation-types.ts';
import { signalPasskeys } from './passkey-signals.ts';
import type { PlatformClient } from './platform-client.ts';
import {
  isPlatformError,
  type PasskeyErrorCode,
  PlatformError,
  signedInAsAnother,
} from './platform-error.ts';
import { getSession } from './session.ts';

type Ceremony<Result> = (options: never) => Promise<Result>;
type CeremonyOptions = { rpId?: string; rp?: { id?: string } };
type Performed<Response> = { response: Response; rpId: string };

/**
 * WebAuthn's error names. Any other name means that the browser, the authenticator or the page does not
 * support passkeys.
 */
const CODES: Record<string, PasskeyErrorCode> = {
  NotAllowedError: 'PASSKEY_CANCELLED',
  AbortError: 'PASSKEY_ABORTED',
  InvalidStateError: 'PASSKEY_EXISTS',
};

/** The platform's challenges are valid for five minutes. */
const CHALLENGE_MILLISECONDS = 240_000;

/** Browsers bind passkeys to a domain and do not accept an IP address. */
const IP_ADDRESS = /^[\d.]+$|:/;

/** Whether the browser supports passkeys on this page. The user may still have no authenticator. */
export const isPasskeyAvailable = (): boolean => {
  const { location } = globalThis as { location?: { hostname: string } };
  return browserSupportsWebAuthn() && !IP_ADDRESS.test(location?.hostname ?? '');
};

/** Whether the browser offers passkeys in form fields with `autocomplete="username webauthn"`. */
export const isPasskeyAutofillAvailable = async (): Promise<boolean> =>
  isPasskeyAvailable() && (await browserSupportsWebAuthnAutofill());

const toPlatformError = (error: unknown): PlatformError => {
  const { name, message } = error as Error;
  return new PlatformError(CODES[name] ?? 'PASSKEY_UNAVAILABLE', message, {}, error);
};

/** Opens the dialog of the browser. A page has one at a time: a second one aborts the first. */
const perform = async <Result>(
  ceremony: Ceremony<Result>,
  options: never,
  signal: AbortSignal | undefined,
): Promise<Result> => {
  const abort = () => WebAuthnAbortService.cancelCeremony();
  if (signal?.aborted) throw signal.reason;
  signal?.addEventListener('abort', abort);
  try {
    return await ceremony(options);
  } catch (error) {
    throw signal?.aborted ? signal.reason : toPlatformError(error);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
};

const create: Ceremony<{ id: string }> = (optionsJSON) => startRegistration({ optionsJSON });
const get = (optionsJSON: never): Promise<PasskeyAssertion> =>
  startAuthentication({ optionsJSON }) as Promise<PasskeyAssertion>;
const getByAutofill = (optionsJSON: never): Promise<PasskeyAssertion> =>
  startAuthentication({ optionsJSON, useBrowserAutofill: true }) as Promise<PasskeyAssertion>;

const unavailable = () =>
  new PlatformError('PASSKEY_UNAVAILABLE', 'This browser or page does not support passkeys');

/** Requests the options and performs the ceremony. */
const run = async <Result>(
  client: object,
  path: string,
  body: object | undefined,
  ceremony: Ceremony<Result>,
  { signal }: CallSignal,
): Promise<Performed<Result>> => {
  if (!isPasskeyAvailable()) throw unavailable();
  const { auth, request } = getSession(client);
  const options: CeremonyOptions = await request('post', `${auth}/${path}`, {
    ...(body && { body }),
    signal,
  });
  const response = await perform(ceremony, options as never, signal);
  return { response, rpId: options.rpId ?? options.rp?.id ?? '' };
};

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

/** Makes the browser stop offering a passkey that the platform does not have. */
const forget = ({ response: { id: credentialId }, rpId }: Performed<{ id: string }>): Promise<void> =>
  signalPasskeys('signalUnknownCredential', async () => ({ rpId, credentialId }));

/** Rejects if another user signed in, in any tab, while the dialog was open. */
const inSameSession = async <Result>(
  client: { ready: Promise<void> },
  options: CallSignal,
  work: () => Promise<Result>,
): Promise<Result> => {
  const { state } = getSession(client);
  await abortable(options, () => client.ready);
  const before = state.session()?.id;
  const result = await work();
  if (state.session()?.id !== before) throw signedInAsAnother();
  return result;
};

/**
 * Adds a passkey of this device, or of another one that the browser offers. Ends the user's other sessions.
 */
export const registerPasskey = async <K extends Kind>(
  client: PlatformClient<K>,
  { currentPassword, name }: { currentPassword: string; name: string },
  options: CallSignal = {},
): Promise<Passkey> => {
  const { auth, request } = getSession(client);
  const created = await inSameSession(client, options, () =>
    run(client, 'passkeys/options', { currentPassword }, create, options),
  );
  const body = { response: created.response, name };
  return await request('post', `${auth}/passkeys`, { ...options, body }).catch(async (error: unknown) => {
    // If there was no response, the passkey may be registered. After PASSKEY_TAKEN, it is registered.
    const isRefused = isPlatformError(error) && error.status >= 400 && error.status < 500;
    if (isRefused && error.code !== 'PASSKEY_TAKEN') await forget(created);
    throw error;
  });
};

type PasskeySignIn = CallSignal & {
  /** Opens no dialog. The browser offers passkeys in a form field with `autocomplete="username webauthn"`. */
  autofill?: boolean | undefined;
};

/**
 * Signs in without e-mail and password: the user chooses a passkey. Rejects with PASSKEY_NOT_FOUND if it was
 * deleted.
 */
export const signInWithPasskey = async <K extends Kind>(
  client: PlatformClient<K>,
  { autofill = false, ...options }: PasskeySignIn = {},
): Promise<SignedInAs<K>> => {
  const path = 'sign-in/passkey/options';
  const chosen = autofill
    ? await runAutofill(client, path, options)
    : await run(client, path, undefined, get, options);
  const { response } = chosen;
  const signingIn = getSession(client).openSession('sign-in/passkey', { response }, options);
  return await signingIn.catch(async (error: unknown) => {
    if (isPlatformError(error, 'PASSKEY_NOT_FOUND')) await forget(chosen);
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
