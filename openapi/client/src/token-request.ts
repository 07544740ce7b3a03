import { abortable } from './abortable.ts';
import type { AccessToken } from './access-token.ts';
import { isPlatformError } from './platform-error.ts';
import type { SessionState } from './session-state.ts';

/** Longer than the gateway's upstream timeout. */
const RESPONSE_MILLISECONDS = 35_000;
/**
 * REFRESH_TOKEN_SUPERSEDED means that another tab's refresh is in progress. The request succeeds after that
 * tab's cookie has arrived.
 */
const SUPERSEDED_DELAYS_MILLISECONDS = [100, 400, 1_600];

/** Errors of a refresh that end the session, and mean to a sign-out that it has ended already. */
export const FINAL_ERRORS = [
  'TOKEN_INVALID',
  'REFRESH_TOKEN_REUSED',
  'SESSION_NOT_FOUND',
  'USER_BLOCKED',
  'VALIDATION_FAILED',
] as const;

/**
 * Requests a new access token and saves it. `signal` only ends the wait: the request continues, because its
 * response has the only valid cookie. A newer token of another tab aborts a request only if nobody waits for
 * it any more, because its refresh token would count as reused. A younger request may already have been sent
 * with the cookie of that newer token.
 */
export const createTokenRequest = (
  state: SessionState,
  refresh: (signal: AbortSignal) => Promise<string>,
  waitMilliseconds: number,
): ((signal: AbortSignal) => Promise<void>) => {
  let requesting: Promise<void> | undefined;

  const send = (sessionId: string): Promise<void> => {
    const [controller, startedAt] = [new AbortController(), Date.now()];
    const stopListening = state.onToken(({ generation }) => {
      if (generation > startedAt + waitMilliseconds) controller.abort();
    });
    return abortable({ milliseconds: RESPONSE_MILLISECONDS, signal: controller.signal }, refresh)
      .then((token) => state.saveToken(sessionId, token))
      .finally(() => {
        stopListening();
        requesting = undefined;
      });
  };

  /**
   * @throws the error, unless another tab has renewed the token or may have done so after one of the delays
   */
  const handleFailure = async (
    error: unknown,
    before: AccessToken | undefined,
    [delay, ...later]: number[],
    signal: AbortSignal,
  ): Promise<void> => {
    if (state.token() !== before) return;
    const isSuperseded = isPlatformError(error, 'REFRESH_TOKEN_SUPERSEDED');
    if (!isSuperseded || delay === undefined || signal.aborted) throw error;
    if (!(await state.waitForToken(before, delay))) await request(signal, later);
  };

  const request = async (signal: AbortSignal, delays = SUPERSEDED_DELAYS_MILLISECONDS): Promise<void> => {
    const [before, session] = [state.token(), state.session()];
    if (!session) return;
    requesting ??= send(session.id);
    try {
      await requesting;
    } catch (error) {
      if (isPlatformError(error, ...FINAL_ERRORS)) {
        state.end(session.id, error.code);
        throw error;
      }
      await handleFailure(error, before, delays, signal);
    }
  };

  return request;
};
