import { abortable, TIMEOUT_SECONDS } from './abortable.ts';
import { isBrowserSession } from './browser-session.ts';
import { type BrowserStorage, type DeviceRecord, randomId, type SignedIn } from './device.ts';
import type { Kind } from './kinds.ts';
import type { CallSignal } from './operation-types.ts';
import type { PlatformClient } from './platform-client.ts';
import { isPlatformError } from './platform-error.ts';
import { getSession } from './session.ts';

type PageLocation = { href: string; pathname: string; search: string; hash: string };
type Page = {
  location?: PageLocation;
  history?: { state: unknown; replaceState: (state: unknown, title: string, url: string) => void };
  sessionStorage?: BrowserStorage;
};

const FINGERPRINT = 'platform-fingerprint';
const STATE = 'platform-state';
/** Whether the session ends with the browser. Released clients remove every part of this name from the address. */
const ENDS_WITH_BROWSER = `${STATE}=ends-with-browser`;

/** Browsers throw where the user blocks storage. */
const findTabStorage = (): Page['sessionStorage'] => {
  try {
    return (globalThis as Page).sessionStorage;
  } catch {
    return undefined;
  }
};
const toStateKey = (client: object): string => `platform.${getSession(client).kind}.sign-in-state`;

type Departure = {
  /** The page to return to, which may be relative. Default: this one. */
  returnTo?: string | undefined;
  /** An e-mail address to fill in. */
  loginHint?: string | undefined;
  /** The language of the pages. Default: that of the browser, or the one that the person has chosen there. */
  language?: 'en' | 'de' | undefined;
  /** The page to open. Default: the sign-in. */
  page?: 'sign-up' | undefined;
};

/**
 * The address of the platform's sign-in page, for a link that opens in the same tab. It contains a random state,
 * which the tab keeps: `takeSessionFromAddress` accepts no session from a sign-in that began elsewhere.
 */
export const signInAddress = <K extends 'customer' | 'employee'>(
  client: PlatformClient<K>,
  { returnTo = '', loginHint, language, page }: Departure = {},
): string => {
  const { gatewayUrl, kind } = getSession(client);
  const [storage, key] = [findTabStorage(), toStateKey(client)];
  // One state for all links of the page.
  const state = storage?.getItem(key) || randomId();
  storage?.setItem(key, state);
  const { href } = (globalThis as Page).location ?? {};
  const query = new URLSearchParams({ returnTo: new URL(returnTo || (href ?? ''), href).href, state });
  for (const [name, value] of Object.entries({ loginHint, language, page }))
    if (value !== undefined) query.set(name, value);
  return `${gatewayUrl}/account/${kind}/sign-in?${query}`;
};

/**
 * For the account pages: adds the fingerprint of the session, and the state of `signInAddress`, behind `#`, which
 * browsers send to no server, and whether it ends with the browser. The fingerprint is no secret that signs anybody in: a refresh needs the cookie as well.
 */
export const addSessionToAddress = <K extends Kind>(
  client: PlatformClient<K>,
  address: URL,
  state: string,
): string => {
  const url = new URL(address);
  const { fingerprint, endsWithBrowser } = getSession(client).state.record();
  const parts = [
    `${FINGERPRINT}=${encodeURIComponent(fingerprint)}`,
    `${STATE}=${encodeURIComponent(state)}`,
  ];
  if (url.hash) parts.unshift(url.hash);
  if (endsWithBrowser) parts.push(ENDS_WITH_BROWSER);
  url.hash = parts.join('&');
  return url.href;
};

/** Takes what the pages have added out of the address, so that it is neither copied nor kept in the history. */
const takeParameters = (): { fingerprint?: string; state?: string; endsWithBrowser?: boolean } => {
  const { location, history } = globalThis as Page;
  const parts = location?.hash.slice(1).split('&') ?? [];
  const find = (name: string) => parts.find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1);
  const [fingerprint, state] = [find(FINGERPRINT), find(STATE)];
  if (!location || !history || (fingerprint === undefined && state === undefined)) return {};
  const rest = parts.filter((part) => !/^platform-(fingerprint|state)=/.test(part)).join('&');
  history.replaceState(history.state, '', location.pathname + location.search + (rest && `#${rest}`));
  try {
    return {
      fingerprint: decodeURIComponent(fingerprint ?? ''),
      state: decodeURIComponent(state ?? ''),
      endsWithBrowser: parts.includes(ENDS_WITH_BROWSER),
    };
  } catch {
    return {};
  }
};

/** Whether the sign-in began in this tab. A state is valid once. */
const takeState = (client: object, state: string | undefined): boolean => {
  const [storage, key] = [findTabStorage(), toStateKey(client)];
  if (!state || storage?.getItem(key) !== state) return false;
  storage.removeItem(key);
  return true;
};

/** None of them changes the session of this page. */
const NOT_SIGNED_IN = ['TOKEN_INVALID', 'USER_BLOCKED', 'SESSION_NOT_FOUND', 'VALIDATION_FAILED'] as const;

/**
 * Takes over the session that the platform's account pages have opened, when they return to this page. Call it
 * once, before the first use of the client. Resolves with whether there is a new session: not if the page was
 * opened otherwise, if the sign-in did not begin in this tab with `signInAddress`, or if the refresh cookie and
 * the fingerprint do not belong together.
 * @throws PlatformError if the platform cannot respond; the session of this page stays as it was
 */
export const takeSessionFromAddress = async <K extends Kind>(
  client: PlatformClient<K>,
  { signal }: CallSignal = {},
): Promise<boolean> => {
  const { fingerprint, state: signInState, endsWithBrowser = false } = takeParameters();
  if (!fingerprint || !takeState(client, signInState)) return false;
  const { auth, state, requestAs, withLock } = getSession(client);
  await client.ready;
  let record: DeviceRecord = { fingerprint, generation: 0 };
  const request = requestAs(() => record);
  const takeOver = (limited: AbortSignal) =>
    withLock(async () => {
      const call = { signal: limited };
      // The response names no fingerprint, so that a stolen cookie alone cannot refresh.
      const { user, session }: SignedIn = await request('get', `${auth}/session`, call);
      const signedIn = { user, session: { ...session, fingerprint } };
      record = { ...record, signedIn };
      const { token }: { token: string } = await request('get', `${auth}/refresh/token`, call);
      state.saveSession(signedIn, token, endsWithBrowser && isBrowserSession(true), fingerprint);
    }, limited);
  try {
    await abortable({ milliseconds: TIMEOUT_SECONDS * 1_000, signal }, takeOver);
    await state.saved().catch(() => undefined);
    return true;
  } catch (error) {
    if (isPlatformError(error, ...NOT_SIGNED_IN)) return false;
    throw error;
  }
};
