import type { AccessToken } from './access-token.ts';
import type { BotChallenge, CreateWorker } from './bot-check.ts';
import type { CookieJar } from './cookie-jar.ts';
import { isPlatformError, requireSuccess, signedInAsAnother, unreachable } from './platform-error.ts';
import type { Send, SendOptions } from './request-function.ts';
import type { SessionManager } from './session-manager.ts';
import type { SessionState } from './session-state.ts';

/** Pass on `init`: it has the signal that aborts the request. */
export type Fetch = (request: Request, init: { signal?: AbortSignal }) => Promise<Response>;
/** Sends a request with the device's headers and, if given, the access token. @throws PlatformError */
export type SendOnce = (
  request: Request,
  options: Pick<SendOptions, 'signal'>,
  token?: AccessToken,
) => Promise<unknown>;

/** The device and session that the headers of a request name. */
type Sender = Pick<SessionState, 'record'>;

/** Mails to the user are written in this language, with times in this time zone. */
type Preferences = { language?: string | undefined; timeZone?: string | undefined };

const withCredentials = (
  request: Request,
  state: Sender,
  cookies: CookieJar,
  { language, timeZone }: Preferences,
  token?: AccessToken,
): Request => {
  const { fingerprint, signedIn } = state.record();
  const headers = {
    'X-Fingerprint': fingerprint,
    'Accept-Language': language,
    'X-Time-Zone': timeZone,
    'X-Session-Id': token?.sessionId ?? signedIn?.session.id,
    Authorization: token && `Bearer ${token.token}`,
    Cookie: request.credentials === 'omit' ? undefined : cookies.header(),
  };
  // A copy, because a retry needs the body of the original.
  const copy = request.clone();
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) copy.headers.set(name, value);
  return copy;
};

type SendDependencies = Preferences & {
  state: Sender;
  cookies: CookieJar;
  fetch: Fetch;
};

export const createSendOnce =
  ({ state, cookies, fetch, ...preferences }: SendDependencies): SendOnce =>
  async (request, { signal }, token) => {
    const exchange = async () => {
      if (signal?.aborted) throw signal.reason;
      const copy = withCredentials(request, state, cookies, preferences, token);
      const response = await fetch(copy, signal ? { signal } : {});
      cookies.store(response.headers);
      return { response, text: await response.text() };
    };
    const { response, text } = await exchange().catch((cause: unknown): never => {
      throw isPlatformError(cause) ? cause : unreachable(cause);
    });
    return requireSuccess(response, text);
  };

type BotCheckOptions = { gatewayUrl: string; createWorker: CreateWorker | undefined };

/**
 * Solves a challenge and repeats the request, if the platform asks for it. The code for this is loaded only
 * when it is needed.
 */
export const withBotCheck =
  (send: Send, { gatewayUrl, createWorker }: BotCheckOptions): Send =>
  async (request, options) => {
    try {
      return await send(request, options);
    } catch (error) {
      if (!isPlatformError(error, 'BOT_CHECK_REQUIRED')) throw error;
      const { signal } = options;
      const asked = new Request(`${gatewayUrl}/api/v1/auth/bot-check`, { credentials: 'omit' });
      const challenge = await send(asked, { signal, isPublic: true });
      const { solveChallenge } = await import('./bot-check.ts');
      const solution = await solveChallenge(challenge as BotChallenge, { signal, createWorker });
      const solved = request.clone();
      solved.headers.set('X-Bot-Check', solution);
      return await send(solved, options);
    }
  };

type Renewal = Pick<SessionManager, 'failure' | 'renewIfExpiring' | 'renew'>;

/** Sends with a valid access token if the operation needs one. At most one refresh and one retry. */
export const createAuthenticatedSend = (sendOnce: SendOnce, state: SessionState, renewal: Renewal): Send => {
  const sendAs = (request: Request, options: SendOptions, used: AccessToken | undefined): Promise<unknown> =>
    sendOnce(request, options, used).catch((error: unknown): never => {
      const hasEnded = isPlatformError(error, 'REFRESH_TOKEN_REUSED', 'SESSION_NOT_FOUND', 'USER_BLOCKED');
      if (hasEnded && error.status === 401 && used && used === state.token())
        state.end(used.sessionId, error.code);
      throw error;
    });

  /** Ignores a failed renewal if there is a token, because it may still be valid. */
  const prepareToken = (): Promise<void> =>
    renewal.renewIfExpiring().catch((error: unknown) => {
      if (!state.token()) throw error;
    });

  const sendAuthenticated: Send = async (request, options) => {
    const [known, knownFailure] = [state.knownSessionId(), renewal.failure()];
    await prepareToken();
    const [used, session] = [state.token(), state.session()];
    // Another user may have signed in from another tab. Never send the request as that user.
    const expected = known ?? session?.id;
    const isOtherUser = (id?: string) => expected !== undefined && id !== undefined && expected !== id;
    if (isOtherUser(session?.id)) throw signedInAsAnother();
    try {
      // The cookie of a session that has ended locally must not authenticate a request.
      const first = session ? request : new Request(request.clone(), { credentials: 'omit' });
      return await sendAs(first, options, used);
    } catch (error) {
      // REFRESH_TOKEN_SUPERSEDED: a path that uses the refresh cookie was called during a refresh.
      if (options.isPublic || !isPlatformError(error, 'TOKEN_INVALID', 'REFRESH_TOKEN_SUPERSEDED'))
        throw error;
      await renewal.renew(used, knownFailure);
      const renewed = state.token();
      if (!renewed || renewed === used || isOtherUser(renewed.sessionId)) throw error;
      return await sendAs(request, options, renewed);
    }
  };

  return (request, options) =>
    options.isPublic ? sendOnce(request, options) : sendAuthenticated(request, options);
};
