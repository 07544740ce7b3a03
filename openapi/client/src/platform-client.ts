import { type AccountCalls, createAccountCalls } from './account-calls.ts';
import { type Kind, type PathsOf, ROUTES, type SignIn, type SignUp } from './kinds.ts';
import type { SignedInAs } from './named-types.ts';
import type { CallSignal, CallsOf, JsonBody, ResponseBody } from './operation-types.ts';
import { isPlatformError } from './platform-error.ts';
import { type AskForProof, withRecentProof } from './recent-proof.ts';
import type { RequestFunction } from './request-function.ts';
import { withRequestId } from './request-id.ts';
import { type RetryOptions, withRetries } from './retry.ts';
import { createSession, registerClient, type SessionOptions } from './session.ts';
import { createEvents, type EventName, type SessionEvents } from './session-events.ts';
import type { SessionSnapshot, SignOutReason } from './session-snapshot.ts';
import { FINAL_ERRORS } from './token-request.ts';

export type PlatformClientOptions<K extends Kind> = SessionOptions<K> & {
  /** Repeats a GET after a 429 or 503, when its `Retry-After` has passed. Default: false. */
  retry?: boolean | RetryOptions | undefined;
  /** Called after PROOF_REQUIRED. If it resolves with true, the call is repeated; otherwise it rejects. */
  onProofRequired?: AskForProof | undefined;
};

type SignOutOptions = CallSignal & {
  /** Ends the session on this device without a request. Its tokens stay valid until they expire. */
  localOnly?: boolean | undefined;
};

export type PlatformClient<K extends Kind> = AccountCalls<K> &
  CallsOf<PathsOf<K>> & {
    /** The language of the options, which can be changed. */
    language: string | undefined;
    /** Creates an account without signing in. (An administrator registers another one.) */
    signUp: (body: JsonBody<SignUp<K>>, options?: CallSignal) => Promise<ResponseBody<SignUp<K>>>;
    /**
     * Rejects with SECOND_FACTOR_REQUIRED if a second step is needed: see `completeSignIn` of
     * `@platform/client/account`.
     */
    signIn: (body: JsonBody<SignIn<K>>, options?: CallSignal) => Promise<SignedInAs<K>>;
    /** Revokes the session's tokens; does nothing without a session. */
    signOut: (options?: SignOutOptions) => Promise<void>;
    /** The local state; the platform may already have ended the session. */
    isSignedIn: () => boolean;
    /**
     * Calls `listener` at each event of this name, in this tab or another. Returns a function that removes
     * the listener.
     */
    on: <Name extends EventName>(name: Name, listener: (event: SessionEvents<K>[Name]) => void) => () => void;
    /**
     * Calls `listener` when the session ends, in this tab or another. Returns a function that removes the
     * listener.
     */
    onSignedOut: (listener: (reason: SignOutReason) => void) => () => void;
    /**
     * Calls `listener` after each change of the session, in this tab or another. Returns a function that
     * removes it.
     */
    subscribe: (listener: () => void) => () => void;
    /** Returns the same object until something changes. */
    getSnapshot: () => SessionSnapshot<K>;
    /** Resolves when the stored session has been read; immediately, unless the storage is asynchronous. */
    ready: Promise<void>;
    /** Stops listening to other tabs and to the page. */
    close: () => void;
  };

/**
 * A client of customers or employees, who have a profile and sign in with mailed codes, or one whose kind is known only
 * when the page runs. A client of administrators alone does not compile.
 */
export type ProfileClient<K extends Kind> = PlatformClient<K> &
  ([K] extends ['administrator'] ? never : unknown);

/** Repeats GET requests, except the one that sends a mail. */
const withGetRetries = (request: RequestFunction, retry: boolean | RetryOptions): RequestFunction => {
  if (retry === false) return request;
  const limits = retry === true ? {} : retry;
  return (method, path, options: CallSignal = {}) =>
    method !== 'get' || path.endsWith('/email/code')
      ? request(method, path, options)
      : withRetries(() => request(method, path, options), limits, options.signal);
};

/**
 * Calls resolve with the body of the success response. They reject with a `PlatformError` or, if aborted,
 * with the abort reason.
 */
export const createPlatformClient = <K extends Kind>(
  options: PlatformClientOptions<K>,
): PlatformClient<K> => {
  const { onChange, on, subscribe } = createEvents<K>();
  const session = createSession(options, onChange);
  const { auth, state, openSession, closeSession } = session;
  const retried = withGetRetries(session.request, options.retry ?? false);
  const request = withRecentProof(withRequestId(retried), options.onProofRequired);
  const signOutRemotely = (send: RequestFunction, signal: AbortSignal): Promise<unknown> =>
    send('get', `${auth}/sign-out`, { signal }).catch((error: unknown) => {
      if (!isPlatformError(error, ...FINAL_ERRORS)) throw error;
    });
  const client: PlatformClient<K> = {
    GET: (path, ...[call]) => request('get', path, call),
    POST: (path, ...[call]) => request('post', path, call),
    PATCH: (path, ...[call]) => request('patch', path, call),
    DELETE: (path, ...[call]) => request('delete', path, call),
    language: options.language,
    ...createAccountCalls(options.kind, request, (sessionId) => state.end(sessionId, 'SIGNED_OUT')),
    signUp: (body, call) => request('post', ROUTES[options.kind].signUp, { ...call, body }),
    signIn: (body, call) => openSession('sign-in', body, call),
    signOut: ({ localOnly = false, signal } = {}) =>
      closeSession(localOnly ? undefined : signOutRemotely, { signal }),
    isSignedIn: () => state.session() !== undefined,
    on,
    onSignedOut: (listener) => on('signed-out', ({ reason }) => listener(reason)),
    subscribe,
    getSnapshot: () => state.snapshot() as SessionSnapshot<K>,
    ready: Promise.resolve(state.ready),
    close: session.close,
  };
  return registerClient(client, { ...session, request });
};
