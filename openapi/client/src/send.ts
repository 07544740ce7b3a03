import type { AccessToken } from './access-token.ts';
import type { CookieJar } from './cookie-jar.ts';
import type { Device } from './device.ts';
import { isPlatformError, PlatformError, requireSuccess, unreachable } from './platform-error.ts';
import type { SignedIn } from './signed-in.ts';

type Fetch = (request: Request) => Promise<Response>;
/** Sends a request as this device, and as its user if there is a token. @throws PlatformError */
export type Deliver = (request: Request, token?: AccessToken) => Promise<Response>;

const isAborted = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && !(reason instanceof DOMException && reason.name === 'TimeoutError');

const address = (request: Request, device: Device, cookies: CookieJar, token?: AccessToken): Request => {
  const { fingerprint, sessionId } = device.read();
  const known = {
    'X-Fingerprint': fingerprint,
    'X-Session-Id': token?.sessionId ?? sessionId,
    Authorization: token && `Bearer ${token.token}`,
    Cookie: cookies.header(),
  };
  // The request itself stays as it is, its body unread, for a second try.
  const copy = request.clone();
  for (const [name, value] of Object.entries(known)) if (value !== undefined) copy.headers.set(name, value);
  return copy;
};

export const createDeliver =
  (device: Device, cookies: CookieJar, fetch: Fetch): Deliver =>
  async (request, token) => {
    const exchangeOnce = async () => {
      const response = await fetch(address(request, device, cookies, token));
      cookies.store(response.headers);
      return { response, text: await response.text() };
    };
    const { response, text } = await exchangeOnce().catch((cause: unknown): never => {
      throw isAborted(request.signal) ? cause : unreachable(cause);
    });
    requireSuccess(response, text);
    return new Response(text === '' ? null : text, { status: response.status });
  };

/** As `deliver`, with an access token that works if the platform still gives one: one refresh and one retry at most. */
export const createSend = (deliver: Deliver, signedIn: SignedIn): Fetch => {
  const deliverAs = (request: Request, used: AccessToken | undefined): Promise<Response> =>
    deliver(request, used).catch((error: unknown): never => {
      const isOver = isPlatformError(error, 'REFRESH_TOKEN_REUSED', 'SESSION_NOT_FOUND', 'USER_BLOCKED');
      if (isOver && error.status === 401 && used && used === signedIn.current()) signedIn.end(error.code);
      throw error;
    });

  return async (request) => {
    const [asked, knownFailure] = [signedIn.current(), signedIn.failure()];
    // The call may do without: it may need no token, and the old one may still be good.
    await signedIn.freshen().catch(() => undefined);
    const used = signedIn.current();
    // Never as somebody else, who may have signed in meanwhile in another tab.
    const own = asked ?? used;
    const isOthers = (token?: AccessToken) => own && token && own.sessionId !== token.sessionId;
    if (isOthers(used))
      throw new PlatformError('TOKEN_INVALID', 'Somebody else has signed in', { status: 401 });
    try {
      return await deliverAs(request, used);
    } catch (error) {
      // Superseded: of a call that the refresh cookie admits, made while that cookie was replaced.
      if (!isPlatformError(error, 'TOKEN_INVALID', 'REFRESH_TOKEN_SUPERSEDED')) throw error;
      await signedIn.renew(used, knownFailure);
      const renewed = signedIn.current();
      if (!renewed || renewed === used || isOthers(renewed)) throw error;
      return await deliverAs(request, renewed);
    }
  };
};
