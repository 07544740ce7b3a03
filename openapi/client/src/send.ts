import type { AccessToken } from './access-token.ts';
import type { CookieJar } from './cookie-jar.ts';
import type { Device } from './device.ts';
import { isPlatformError, PlatformError, requireSuccess, unreachable } from './platform-error.ts';
import type { SessionManager } from './session-manager.ts';

type Fetch = (request: Request) => Promise<Response>;
/** Sends a request with the device's headers and, if given, the access token. @throws PlatformError */
export type SendOnce = (request: Request, token?: AccessToken) => Promise<Response>;

const isAborted = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && !(reason instanceof DOMException && reason.name === 'TimeoutError');

const withCredentials = (
  request: Request,
  device: Device,
  cookies: CookieJar,
  token?: AccessToken,
): Request => {
  const { fingerprint, sessionId } = device.read();
  const headers = {
    'X-Fingerprint': fingerprint,
    'X-Session-Id': token?.sessionId ?? sessionId,
    Authorization: token && `Bearer ${token.token}`,
    Cookie: cookies.header(),
  };
  // A copy, because the body of the original is needed for a retry.
  const copy = request.clone();
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) copy.headers.set(name, value);
  return copy;
};

export const createSendOnce =
  (device: Device, cookies: CookieJar, fetch: Fetch): SendOnce =>
  async (request, token) => {
    const exchange = async () => {
      const response = await fetch(withCredentials(request, device, cookies, token));
      cookies.store(response.headers);
      return { response, text: await response.text() };
    };
    const { response, text } = await exchange().catch((cause: unknown): never => {
      throw isAborted(request.signal) ? cause : unreachable(cause);
    });
    requireSuccess(response, text);
    return new Response(text === '' ? null : text, { status: response.status });
  };

/** Sends with a valid access token: at most one refresh and one retry. */
export const createAuthenticatedSend = (sendOnce: SendOnce, sessions: SessionManager): Fetch => {
  const sendAs = (request: Request, used: AccessToken | undefined): Promise<Response> =>
    sendOnce(request, used).catch((error: unknown): never => {
      const hasEnded = isPlatformError(error, 'REFRESH_TOKEN_REUSED', 'SESSION_NOT_FOUND', 'USER_BLOCKED');
      if (hasEnded && error.status === 401 && used && used === sessions.current()) sessions.end(error.code);
      throw error;
    });

  return async (request) => {
    const [initial, knownFailure] = [sessions.current(), sessions.failure()];
    // Not fatal: the route may need no token, or the old one may still be valid.
    await sessions.renewIfExpiring().catch(() => undefined);
    const used = sessions.current();
    // Another user may have signed in from another tab; never send the request in that user's name.
    const expected = initial ?? used;
    const isOtherUser = (token?: AccessToken) => expected && token && expected.sessionId !== token.sessionId;
    if (isOtherUser(used))
      throw new PlatformError('TOKEN_INVALID', 'Another user has signed in', { status: 401 });
    try {
      return await sendAs(request, used);
    } catch (error) {
      // REFRESH_TOKEN_SUPERSEDED: a route that takes the refresh cookie was called during a refresh.
      if (!isPlatformError(error, 'TOKEN_INVALID', 'REFRESH_TOKEN_SUPERSEDED')) throw error;
      await sessions.renew(used, knownFailure);
      const renewed = sessions.current();
      if (!renewed || renewed === used || isOtherUser(renewed)) throw error;
      return await sendAs(request, renewed);
    }
  };
};
