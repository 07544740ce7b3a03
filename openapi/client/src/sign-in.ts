import type { Kind } from './kinds.ts';
import type { CodeSent, SignedInAs, SignInHistory, SignInMethods, SignInWithCode } from './named-types.ts';
import type { CallSignal } from './operation-types.ts';
import type { PlatformClient, ProfileClient } from './platform-client.ts';
import { getSession } from './session.ts';

/** Returns all that a sign-in page has to know: the ways to sign in, and whether users may stay signed in. */
export const getSignInMethods = <K extends Kind>(
  client: PlatformClient<K>,
  options?: CallSignal,
): Promise<SignInMethods> => {
  const { auth, request } = getSession(client);
  return request('get', `${auth}/sign-in/methods`, options);
};

/**
 * Sends a code if there is an account with this e-mail; the response is the same if there is none. Fails with
 * `RESEND_LOCKED` until `resendIn` seconds have passed.
 */
export const sendSignInCode = <K extends Kind>(
  client: ProfileClient<K>,
  email: string,
  options?: CallSignal,
): Promise<CodeSent> => {
  const { auth, request } = getSession(client);
  return request('post', `${auth}/sign-in/email-code/send`, { ...options, body: { email } });
};

/**
 * Signs in with the code of `sendSignInCode` instead of a password. Rejects with SECOND_FACTOR_REQUIRED if a
 * second step is needed: see `completeSignIn`.
 */
export const signInWithCode = <K extends Kind>(
  client: ProfileClient<K>,
  body: SignInWithCode,
  options?: CallSignal,
): Promise<SignedInAs<K>> => getSession(client).openSession('sign-in/email-code', body, options);

/**
 * Sends the code for `completeSignIn` if the `factors` of SECOND_FACTOR_REQUIRED contain `email-code`: the
 * account does not know this device.
 */
export const sendNewDeviceCode = <K extends Kind>(
  client: ProfileClient<K>,
  { challenge }: { challenge: string },
  options?: CallSignal,
): Promise<CodeSent> => {
  const { auth, request } = getSession(client);
  return request('post', `${auth}/sign-in/second-factor/email-code`, { ...options, body: { challenge } });
};

type PageOptions = CallSignal & { cursor?: string | undefined; perPage?: number | undefined };

/** A page of the user's sign-ins and failed ones, newest first. `cursor` is the `nextCursor` of the page before. */
export const listSignIns = <K extends Kind>(
  client: PlatformClient<K>,
  { cursor, perPage, ...options }: PageOptions = {},
): Promise<SignInHistory> => {
  const { auth, request } = getSession(client);
  return request('get', `${auth}/sign-ins`, { ...options, params: { query: { cursor, perPage } } });
};
