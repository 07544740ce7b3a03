import { abortable, TIMEOUT_SECONDS } from './abortable.ts';
import type { DeviceRecord, SignedIn } from './device.ts';
import type { Kind } from './kinds.ts';
import type { CallSignal } from './operation-types.ts';
import type { PlatformClient } from './platform-client.ts';
import { isPlatformError } from './platform-error.ts';
import { getSession } from './session.ts';

type PageLocation = { pathname: string; search: string; hash: string };
type Page = {
  location?: PageLocation;
  history?: { state: unknown; replaceState: (state: unknown, title: string, url: string) => void };
};

const PARAMETER = 'platform-fingerprint';
const FINGERPRINT = new RegExp(`[#&]${PARAMETER}=([^&]*)`);

/**
 * For the account pages: adds the fingerprint of the session behind `#`, which browsers send to no server. It is no
 * secret that signs anybody in: a refresh needs the cookie as well.
 */
export const addSessionToAddress = <K extends Kind>(client: PlatformClient<K>, address: URL): string => {
  const url = new URL(address);
  const parameter = `${PARAMETER}=${encodeURIComponent(getSession(client).state.record().fingerprint)}`;
  url.hash = url.hash ? `${url.hash}&${parameter}` : parameter;
  return url.href;
};

/** Takes the fingerprint out of the address, so that it is neither copied nor kept in the history. */
const takeFingerprint = (): string | undefined => {
  const { location, history } = globalThis as Page;
  const [parameter = '', encoded] = FINGERPRINT.exec(location?.hash ?? '') ?? [];
  if (!location || !history || encoded === undefined) return undefined;
  const { pathname, search, hash } = location;
  const rest = hash.replace(parameter, '').replace(/^&/, '#');
  history.replaceState(history.state, '', pathname + search + rest);
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
};

/** None of them changes the session of this page. */
const NOT_SIGNED_IN = ['TOKEN_INVALID', 'USER_BLOCKED', 'SESSION_NOT_FOUND', 'VALIDATION_FAILED'] as const;

/**
 * Takes over the session that the platform's account pages have opened, when they return to this page. Call it
 * once, before the first use of the client. Resolves with whether there is a new session: not if the page was
 * opened otherwise, or if the refresh cookie and the fingerprint do not belong together.
 * @throws PlatformError if the platform cannot respond; the session of this page stays as it was
 */
export const takeSessionFromAddress = async <K extends Kind>(
  client: PlatformClient<K>,
  { signal }: CallSignal = {},
): Promise<boolean> => {
  const fingerprint = takeFingerprint();
  if (!fingerprint) return false;
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
      state.saveSession(signedIn, token, fingerprint);
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
