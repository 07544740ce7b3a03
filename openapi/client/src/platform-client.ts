import createClient from 'openapi-fetch';
import { type CookieJar, createCookieJar } from './cookie-jar.ts';
import { createDevice, createMemoryStorage, type DeviceStorage, findBrowserStorage } from './device.ts';
import { type Kind, type PathsOf, ROUTES, type SignInOperations } from './kinds.ts';
import type { Call, JsonBody, ResponseBody } from './operation-types.ts';
import { isPlatformError } from './platform-error.ts';
import { createAuthenticatedSend, createSendOnce } from './send.ts';
import { createLocalLocks, createSessionManager, type Locks, type SignOutReason } from './session-manager.ts';

/**
 * Timeout of a refresh or sign-in, for which all tabs wait. Longer than the gateway's upstream timeout: aborting a refresh
 * too early loses the new cookie.
 */
const TIMEOUT_MILLISECONDS = 35_000;

/** Sign-out ignores these errors: the session has already ended. */
const SESSION_ENDED = ['TOKEN_INVALID', 'REFRESH_TOKEN_REUSED', 'SESSION_NOT_FOUND', 'USER_BLOCKED'] as const;

export type PlatformClientOptions<K extends Kind> = {
  /** The gateway's origin, such as `https://api.example.com`; empty for the page's own origin. */
  gatewayUrl: string;
  kind: K;
  /** Identifies the device. Default: random, and stored. */
  fingerprint?: string;
  /** Stores the session id and the fingerprint. Default: `localStorage` in a page, memory elsewhere. */
  storage?: DeviceStorage;
  /** Default: the browser's cookies, or a new jar where `fetch` stores none. */
  cookies?: CookieJar;
  /** Ensures that one tab refreshes at a time. Default: `navigator.locks`. */
  locks?: Locks;
  fetch?: (request: Request) => Promise<Response>;
};

type SignIn<K extends Kind> = SignInOperations[K]['signIn'];
type SignUp<K extends Kind> = SignInOperations[K]['signUp'];

export type PlatformClient<K extends Kind> = {
  GET: Call<PathsOf<K>, 'get'>;
  POST: Call<PathsOf<K>, 'post'>;
  PATCH: Call<PathsOf<K>, 'patch'>;
  DELETE: Call<PathsOf<K>, 'delete'>;
  /** Creates an account (as an administrator: registers another one) without signing in. */
  signUp: (body: JsonBody<SignUp<K>>) => Promise<ResponseBody<SignUp<K>>>;
  signIn: (body: JsonBody<SignIn<K>>) => Promise<Omit<ResponseBody<SignIn<K>>, 'token'>>;
  /** Revokes the session's tokens; does nothing without a session. */
  signOut: () => Promise<void>;
  /** The local state: the platform may already have ended the session. */
  isSignedIn: () => boolean;
  /** Calls `listener` when the session ends, in this tab or another. Returns a function that removes the listener. */
  onSignedOut: (listener: (reason: SignOutReason) => void) => () => void;
  /** Stops listening to other tabs. */
  close: () => void;
};

const createListeners = () => {
  const listeners = new Set<(reason: SignOutReason) => void>();
  return {
    add: (listener: (reason: SignOutReason) => void) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    // Asynchronous, so that an error of a listener is reported and does not fail the call.
    notify: (reason: SignOutReason) => {
      for (const listener of listeners) queueMicrotask(() => listener(reason));
    },
  };
};

type Method = 'get' | 'post' | 'patch' | 'delete';
/** The response types are not checked here: the platform validates its responses against the documents. */
type RequestFunction = (method: Method, path: string, options?: object) => Promise<never>;

/** openapi-fetch builds the URL and the body, and parses the response; it passes on errors of `send`. */
const createRequestFunction = (
  gatewayUrl: string,
  send: (request: Request) => Promise<Response>,
): RequestFunction => {
  const { request } = createClient<Record<string, Record<Method, object>>>({
    baseUrl: `${gatewayUrl.replace(/\/$/, '')}/api/v1`,
    credentials: 'include',
    redirect: 'error',
    fetch: (request) => send(request),
  });
  return async (method, path, options) => (await request(method, path, options as never)).data as never;
};

/** With `keepalive` the browser completes the request and stores the new cookie even when the page is left. */
const refreshOptions = () => ({ keepalive: true, signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });

type Listener = (reason: SignOutReason) => void;

const createSession = <K extends Kind>(options: PlatformClientOptions<K>, onSignedOut: Listener) => {
  const { gatewayUrl, kind, fingerprint, cookies = createCookieJar() } = options;
  const { auth } = ROUTES[kind];
  const shared = options.storage ?? findBrowserStorage();
  const device = createDevice(shared ?? createMemoryStorage(), kind, fingerprint);
  const sendOnce = createSendOnce(device, cookies, options.fetch ?? ((request) => fetch(request)));
  const requestWithoutRetry = createRequestFunction(gatewayUrl, sendOnce);
  const refresh = async (): Promise<string> => {
    const response: { token: string } = await requestWithoutRetry(
      'get',
      `${auth}/refresh/token`,
      refreshOptions(),
    );
    return response.token;
  };
  const signIn: PlatformClient<K>['signIn'] = (body) =>
    sessions.signIn(() => requestWithoutRetry('post', `${auth}/sign-in`, { body, ...refreshOptions() }));
  const webLocks = shared && (globalThis.navigator?.locks as Locks | undefined);
  const locks = options.locks ?? webLocks ?? createLocalLocks();
  const sessions = createSessionManager({
    device,
    isShared: shared !== undefined,
    locks,
    refresh,
    onSignedOut,
  });
  return {
    sessions,
    signIn,
    request: createRequestFunction(gatewayUrl, createAuthenticatedSend(sendOnce, sessions)),
  };
};

/** Calls resolve with the body of the success response. They reject with a `PlatformError` or, if aborted, with the abort reason. */
export const createPlatformClient = <K extends Kind>(
  options: PlatformClientOptions<K>,
): PlatformClient<K> => {
  const { auth, signUp } = ROUTES[options.kind];
  const listeners = createListeners();
  const { sessions, signIn, request } = createSession(options, listeners.notify);
  return {
    GET: (path, ...[call]) => request('get', path, call),
    POST: (path, ...[call]) => request('post', path, call),
    PATCH: (path, ...[call]) => request('patch', path, call),
    DELETE: (path, ...[call]) => request('delete', path, call),
    signUp: (body) => request('post', signUp, { body }),
    signIn,
    signOut: async () => {
      if (!sessions.isSignedIn()) return;
      await request('get', `${auth}/sign-out`).catch((error: unknown) => {
        if (!isPlatformError(error, ...SESSION_ENDED)) throw error;
      });
      sessions.end('SIGNED_OUT');
    },
    isSignedIn: sessions.isSignedIn,
    onSignedOut: listeners.add,
    close: sessions.close,
  };
};
