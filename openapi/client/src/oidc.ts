import type { Kind } from './kinds.ts';
import type {
  Identity,
  IdentityList,
  IdentityProvider,
  PasswordConfirmation,
  SignedInAs,
} from './named-types.ts';
import type { CallSignal } from './operation-types.ts';
import type { PlatformClient } from './platform-client.ts';
import { PlatformError } from './platform-error.ts';
import { getSession } from './session.ts';

type Purpose = 'sign-in' | 'link';

/** A redirect that began in this browser and ends at the callback URL. */
export type PendingCallback = { provider: string; purpose: Purpose };
type StoredCallback = PendingCallback & {
  state: string;
  expiresAt: number;
  staySignedIn?: boolean | undefined;
};

type Return = {
  /**
   * The page of the frontend to which the provider returns; it must be one of the platform's
   * `OIDC_REDIRECT_URIS`. With several providers, its path ends with the provider's name.
   */
  redirectUri: string;
};

type ProviderSignIn = Return & {
  /** Whether the session lives longer, if `getSignInMethods` of `@platform/client/account` offers it. */
  staySignedIn?: boolean | undefined;
  /** An address that the provider may fill in. */
  loginHint?: string | undefined;
};

type Departure = CallSignal & {
  /** Opens the provider's page. Default: navigates this page there. */
  navigate?: ((authorizationUrl: string) => unknown) | undefined;
};

const leavePage = (authorizationUrl: string): void =>
  (globalThis as unknown as { location: { assign: (url: string) => void } }).location.assign(
    authorizationUrl,
  );

/** Needs no decoding, because the platform chooses the state from characters that need no encoding. */
const readState = (url: string): string | undefined => /[?&]state=([^&#]+)/.exec(url)?.[1];

/** Any script can change the stored text, so ignore an invalid one. */
const parseCallbacks = (text: string | null): StoredCallback[] => {
  try {
    const stored: StoredCallback[] = JSON.parse(text ?? '[]');
    return stored.filter(({ expiresAt }) => expiresAt > Date.now());
  } catch {
    return [];
  }
};

/** Stored on the device, because each tab can begin a sign-in, and a provider can return to another tab. */
const openCallbacks = (client: object) => {
  const { storage, kind } = getSession(client);
  const key = `platform.${kind}.oidc`;
  const list = async () => parseCallbacks(await storage.getItem(key));
  return {
    add: async (callback: StoredCallback): Promise<void> => {
      await storage.setItem(key, JSON.stringify([...(await list()), callback]));
    },
    find: async (callbackUrl: string): Promise<StoredCallback | undefined> => {
      const state = readState(callbackUrl);
      return (await list()).find((callback) => callback.state === state);
    },
  };
};

const goToProvider = async (
  client: object,
  { provider, purpose }: PendingCallback,
  body: ProviderSignIn & PasswordConfirmation,
  { navigate = leavePage, signal }: Departure = {},
): Promise<void> => {
  const { auth, request } = getSession(client);
  const path = `${auth}/${purpose === 'link' ? 'identities' : 'oidc'}/{provider}/authorize`;
  const call = { signal, params: { path: { provider } }, body };
  const response: { authorizationUrl: string; expiresIn: number } = await request('post', path, call);
  const expiresAt = Date.now() + response.expiresIn * 1_000;
  const state = readState(response.authorizationUrl) ?? '';
  await openCallbacks(client).add({ provider, purpose, state, expiresAt, staySignedIn: body.staySignedIn });
  await navigate(response.authorizationUrl);
};

const requireCallback = async (
  client: object,
  callbackUrl: string,
  purpose: Purpose,
): Promise<StoredCallback> => {
  const callback = await openCallbacks(client).find(callbackUrl);
  if (callback?.purpose === purpose) return callback;
  throw new PlatformError(
    'OIDC_STATE_INVALID',
    `No ${purpose} that began in this browser has this callback URL`,
    {
      status: 401,
    },
  );
};

/** Lists the providers for the client's kind. */
export const listProviders = async <K extends Kind>(
  client: PlatformClient<K>,
  options?: CallSignal,
): Promise<IdentityProvider[]> => {
  const { auth, request } = getSession(client);
  const { data }: { data: IdentityProvider[] } = await request('get', `${auth}/oidc/providers`, options);
  return data;
};

/**
 * Signs in, or up, at the provider, which returns to the redirect URI within ten minutes. Resolves when the
 * page is left.
 */
export const signInWith = <K extends Kind>(
  client: PlatformClient<K>,
  provider: string,
  { redirectUri, staySignedIn, loginHint }: ProviderSignIn,
  options?: Departure,
): Promise<void> =>
  goToProvider(client, { provider, purpose: 'sign-in' }, { redirectUri, staySignedIn, loginHint }, options);

/**
 * Finds what a callback page must complete; undefined if nothing that began in this browser has this callback
 * URL.
 */
export const findPending = async <K extends Kind>(
  client: PlatformClient<K>,
  callbackUrl: string,
): Promise<PendingCallback | undefined> => {
  const callback = await openCallbacks(client).find(callbackUrl);
  return callback && { provider: callback.provider, purpose: callback.purpose };
};

/**
 * Completes `signInWith`, once, with the full URL to which the provider returned. Rejects with
 * SECOND_FACTOR_REQUIRED if a second step is needed: see `completeSignIn` of `@platform/client/account`.
 */
export const completeSignIn = async <K extends Kind>(
  client: PlatformClient<K>,
  callbackUrl: string,
  options?: CallSignal,
): Promise<SignedInAs<K>> => {
  const { provider, staySignedIn } = await requireCallback(client, callbackUrl, 'sign-in');
  const path = `oidc/${encodeURIComponent(provider)}/sign-in`;
  return await getSession(client).openSession(path, { callbackUrl }, options, staySignedIn);
};

/** Lists the user's identities and returns whether the account has a password. */
export const listIdentities = <K extends Kind>(
  client: PlatformClient<K>,
  options?: CallSignal,
): Promise<IdentityList> => {
  const { auth, request } = getSession(client);
  return request('get', `${auth}/identities`, options);
};

/**
 * Adds an identity to sign in with. The provider returns to the redirect URI within ten minutes. Resolves
 * when the page is left.
 */
export const linkIdentity = <K extends Kind>(
  client: PlatformClient<K>,
  provider: string,
  body: Return & PasswordConfirmation,
  options?: Departure,
): Promise<void> => goToProvider(client, { provider, purpose: 'link' }, body, options);

/** Completes `linkIdentity`, once, in the same session. Ends the user's other sessions. */
export const completeLink = async <K extends Kind>(
  client: PlatformClient<K>,
  callbackUrl: string,
  options?: CallSignal,
): Promise<Identity> => {
  const { provider: identity } = await requireCallback(client, callbackUrl, 'link');
  const { auth, request } = getSession(client);
  const call = { ...options, params: { path: { identity } }, body: { callbackUrl } };
  return await request('post', `${auth}/identities/{identity}`, call);
};

/**
 * Ends the user's other sessions. Rejects with LAST_SIGN_IN_METHOD if no password, passkey or identity would
 * remain.
 */
export const unlinkIdentity = async <K extends Kind>(
  client: PlatformClient<K>,
  identityId: string,
  body: PasswordConfirmation,
  options?: CallSignal,
): Promise<void> => {
  const { auth, request } = getSession(client);
  const call = { ...options, params: { path: { identity: identityId } }, body };
  await request('delete', `${auth}/identities/{identity}`, call);
};
