import { browserSupportsWebAuthnAutofill, WebAuthnAbortService } from '@simplewebauthn/browser';
import { abortable } from './abortable.ts';
import type { CallSignal } from './operation-types.ts';
import { isPasskeyAvailable } from './passkey-availability.ts';
import { signalPasskeys } from './passkey-signals.ts';
import { type PasskeyErrorCode, PlatformError, signedInAsAnother } from './platform-error.ts';
import { getSession } from './session.ts';

export type Ceremony<Result> = (options: never) => Promise<Result>;
type CeremonyOptions = { rpId?: string; rp?: { id?: string } };
export type Performed<Response> = { response: Response; rpId: string };

/**
 * WebAuthn's error names. Any other name means that the browser, the authenticator or the page does not
 * support passkeys.
 */
const CODES: Record<string, PasskeyErrorCode> = {
  NotAllowedError: 'PASSKEY_CANCELLED',
  AbortError: 'PASSKEY_ABORTED',
  InvalidStateError: 'PASSKEY_EXISTS',
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

export const unavailable = () =>
  new PlatformError('PASSKEY_UNAVAILABLE', 'This browser or page does not support passkeys');

/** Requests the options and performs the ceremony. */
export const run = async <Result>(
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

/** Makes the browser stop offering a passkey that the platform does not have. */
export const forgetPasskey = ({
  response: { id: credentialId },
  rpId,
}: Performed<{ id: string }>): Promise<void> =>
  signalPasskeys('signalUnknownCredential', async () => ({ rpId, credentialId }));

/** Rejects if another user signed in, in any tab, while the dialog was open. */
export const inSameSession = async <Result>(
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
