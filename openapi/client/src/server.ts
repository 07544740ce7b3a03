import { abortable, TIMEOUT_SECONDS } from './abortable.ts';
import { type Kind, ROUTES } from './kinds.ts';
import type { SignedInAs } from './named-types.ts';
import type { CallSignal } from './operation-types.ts';
import { isPlatformError, requireSuccess, unreachable } from './platform-error.ts';

const REFRESH_COOKIES = {
  customer: 'CustomerRefreshToken',
  employee: 'EmployeeRefreshToken',
  administrator: 'AdminRefreshToken',
} as const satisfies Record<Kind, string>;

export type ReadSessionOptions<K extends Kind> = CallSignal & {
  /** The gateway's origin, as the server reaches it. */
  gatewayUrl: string;
  kind: K;
  /** After it, the call rejects with GATEWAY_UNREACHABLE. Default: 10. */
  timeoutSeconds?: number | undefined;
};

const findCookie = (header: string | null, name: string): string | undefined =>
  header
    ?.split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`));

/** Of the visitor's headers only these are forwarded; the gateway's rate limits need the address. */
const toGatewayHeaders = (cookie: string, address: string | null) => ({
  Cookie: cookie,
  ...(address && { 'X-Forwarded-For': address }),
});

/**
 * Reads who has sent a request, by its refresh cookie, and changes nothing: for a server that renders pages. Resolves with
 * undefined if nobody is signed in. @throws PlatformError for every other failure, or the abort reason
 */
export const readSession = async <K extends Kind>(
  headers: Pick<Headers, 'get'>,
  { gatewayUrl, kind, timeoutSeconds = TIMEOUT_SECONDS, signal }: ReadSessionOptions<K>,
): Promise<SignedInAs<K> | undefined> => {
  const cookie = findCookie(headers.get('Cookie'), REFRESH_COOKIES[kind]);
  if (!cookie) return undefined;
  const request = async (limited: AbortSignal) => {
    const response = await fetch(`${gatewayUrl.replace(/\/$/, '')}/api/v1${ROUTES[kind].auth}/session`, {
      headers: toGatewayHeaders(cookie, headers.get('X-Forwarded-For')),
      redirect: 'error',
      // Frameworks replace `fetch` by one that stores responses for all visitors.
      cache: 'no-store',
      signal: limited,
    });
    return { response, text: await response.text() };
  };
  const { response, text } = await abortable({ milliseconds: timeoutSeconds * 1_000, signal }, (limited) =>
    request(limited).catch((cause: unknown): never => {
      throw unreachable(cause);
    }),
  );
  try {
    return requireSuccess(response, text) as SignedInAs<K>;
  } catch (error) {
    if (response.status === 401 && !isPlatformError(error, 'ANSWER_UNREADABLE')) return undefined;
    throw error;
  }
};
