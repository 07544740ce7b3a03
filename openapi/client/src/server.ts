import { abortable } from './abortable.ts';
import { type Kind, ROUTES } from './kinds.ts';
import type { CallSignal } from './operation-types.ts';
import { isPlatformError, requireSuccess } from './platform-error.ts';
import { type SessionSnapshot, toSnapshot, UNKNOWN_SESSION } from './session-snapshot.ts';

const REFRESH_COOKIES = {
  customer: 'CustomerRefreshToken',
  employee: 'EmployeeRefreshToken',
  administrator: 'AdminRefreshToken',
} as const satisfies Record<Kind, string>;

export type ReadSessionOptions<K extends Kind> = CallSignal & {
  /** The gateway's origin, as this server reaches it. */
  gatewayUrl: string;
  kind: K;
  /** How long the page waits for the gateway. Default: 1. */
  timeoutSeconds?: number | undefined;
};

const findCookie = (header: string | null, name: string): string | undefined =>
  header
    ?.split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`));

/** Forwards only these headers of the visitor; the gateway's rate limits need the address. */
const toGatewayHeaders = (cookie: string, address: string | null) => ({
  Cookie: cookie,
  ...(address && { 'X-Forwarded-For': address }),
});

/**
 * Reads the session of a request by its refresh cookie and changes nothing. It is for servers that render
 * pages. Returns `unknown` if the gateway does not respond in time; the browser then reads the session.
 * @throws the abort reason
 */
export const readSession = async <K extends Kind>(
  headers: Pick<Headers, 'get'>,
  { gatewayUrl, kind, timeoutSeconds = 1, signal }: ReadSessionOptions<K>,
): Promise<SessionSnapshot<K>> => {
  const cookie = findCookie(headers.get('Cookie'), REFRESH_COOKIES[kind]);
  if (!cookie) return toSnapshot({});
  const request = async (limited: AbortSignal) => {
    const response = await fetch(`${gatewayUrl.replace(/\/$/, '')}/api/v1${ROUTES[kind].auth}/session`, {
      headers: toGatewayHeaders(cookie, headers.get('X-Forwarded-For')),
      redirect: 'error',
      // Frameworks replace `fetch` with one that caches responses for all visitors.
      cache: 'no-store',
      signal: limited,
    });
    return requireSuccess(response, await response.text()) as object;
  };
  try {
    return toSnapshot({
      signedIn: await abortable({ milliseconds: timeoutSeconds * 1_000, signal }, request),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    const isRefused = isPlatformError(error) && error.status === 401 && error.code !== 'ANSWER_UNREADABLE';
    return isRefused ? toSnapshot({}) : UNKNOWN_SESSION;
  }
};
