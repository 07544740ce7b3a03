import createClient from 'openapi-fetch';
import type { Answer, Call, JsonBody } from './calls.ts';
import { type CookieJar, createCookieJar } from './cookie-jar.ts';
import { createDevice, createMemoryStorage, type DeviceStorage, findBrowserStorage } from './device.ts';
import { type Kind, type PathsOf, ROUTES, type SignInOperations } from './kinds.ts';
import { isPlatformError } from './platform-error.ts';
import { createDeliver, createSend } from './send.ts';
import { createPageLocks, createSignedIn, type Locks, type SignOutReason } from './signed-in.ts';

/**
 * How long a refresh or a sign-in, for which all tabs wait, may take. Longer than the gateway waits for a service: one
 * that is given up too early loses its cookie.
 */
const LONGEST_MILLISECONDS = 35_000;

/** Nothing is left to sign out from. */
const ENDED = ['TOKEN_INVALID', 'REFRESH_TOKEN_REUSED', 'SESSION_NOT_FOUND', 'USER_BLOCKED'] as const;

export type PlatformClientOptions<K extends Kind> = {
  /** The gateway's origin, such as `https://api.example.com`; a page of the same origin may give ''. */
  gatewayUrl: string;
  kind: K;
  /** Names the device; without it one is made at random and stored. */
  fingerprint?: string;
  /** Keeps the session's id and the fingerprint. Default: `localStorage` in a page, else memory. */
  storage?: DeviceStorage;
  /** Default: the browser's, or a new jar where `fetch` keeps no cookies. */
  cookies?: CookieJar;
  /** Let one tab refresh at a time. Default: `navigator.locks`. */
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
  /** Creates an account (an administrator: registers one) and signs nobody in. */
  signUp: (body: JsonBody<SignUp<K>>) => Promise<Answer<SignUp<K>>>;
  signIn: (body: JsonBody<SignIn<K>>) => Promise<Omit<Answer<SignIn<K>>, 'token'>>;
  /** Ends the session's tokens; nothing happens when nobody is signed in. */
  signOut: () => Promise<void>;
  /** As far as this device knows: the platform may have ended the session meanwhile. */
  isSignedIn: () => boolean;
  /** Calls `listener` whenever a sign-in here has ended, in this tab or another; returns what removes it. */
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
    // Later, so that what a listener throws is reported and fails no call.
    tell: (reason: SignOutReason) => {
      for (const listener of listeners) queueMicrotask(() => listener(reason));
    },
  };
};

type Method = 'get' | 'post' | 'patch' | 'delete';
/** What comes back has the type that the documents promise: the platform checks its answers against them. */
type Ask = (method: Method, path: string, options?: object) => Promise<never>;

/** openapi-fetch writes the address and the body, and reads the answer; what `send` throws comes out as it is. */
const createAsk = (gatewayUrl: string, send: (request: Request) => Promise<Response>): Ask => {
  const { request } = createClient<Record<string, Record<Method, object>>>({
    baseUrl: `${gatewayUrl.replace(/\/$/, '')}/api/v1`,
    credentials: 'include',
    redirect: 'error',
    fetch: (request) => send(request),
  });
  return async (method, path, options) => (await request(method, path, options as never)).data as never;
};

/** For a request that gives a new cookie: a page that is left in the middle does not lose it. */
const exclusively = () => ({ keepalive: true, signal: AbortSignal.timeout(LONGEST_MILLISECONDS) });

type Listener = (reason: SignOutReason) => void;

const createSession = <K extends Kind>(options: PlatformClientOptions<K>, onSignedOut: Listener) => {
  const { gatewayUrl, kind, fingerprint, cookies = createCookieJar() } = options;
  const { auth } = ROUTES[kind];
  const shared = options.storage ?? findBrowserStorage();
  const device = createDevice(shared ?? createMemoryStorage(), kind, fingerprint);
  const deliver = createDeliver(device, cookies, options.fetch ?? ((request) => fetch(request)));
  const askPlainly = createAsk(gatewayUrl, deliver);
  const exchange = async (): Promise<string> => {
    const answer: { token: string } = await askPlainly('get', `${auth}/refresh/token`, exclusively());
    return answer.token;
  };
  const signIn: PlatformClient<K>['signIn'] = (body) =>
    signedIn.signIn(() => askPlainly('post', `${auth}/sign-in`, { body, ...exclusively() }));
  const webLocks = shared && (globalThis.navigator?.locks as Locks | undefined);
  const locks = options.locks ?? webLocks ?? createPageLocks();
  const signedIn = createSignedIn({ device, isShared: shared !== undefined, locks, exchange, onSignedOut });
  return { signedIn, signIn, ask: createAsk(gatewayUrl, createSend(deliver, signedIn)) };
};

/** Every call resolves to the body of its success or rejects with a `PlatformError`; an aborted one with its reason. */
export const createPlatformClient = <K extends Kind>(
  options: PlatformClientOptions<K>,
): PlatformClient<K> => {
  const { auth, signUp } = ROUTES[options.kind];
  const listeners = createListeners();
  const { signedIn, signIn, ask } = createSession(options, listeners.tell);
  return {
    GET: (path, ...[call]) => ask('get', path, call),
    POST: (path, ...[call]) => ask('post', path, call),
    PATCH: (path, ...[call]) => ask('patch', path, call),
    DELETE: (path, ...[call]) => ask('delete', path, call),
    signUp: (body) => ask('post', signUp, { body }),
    signIn,
    signOut: async () => {
      if (!signedIn.isSignedIn()) return;
      await ask('get', `${auth}/sign-out`).catch((error: unknown) => {
        if (!isPlatformError(error, ...ENDED)) throw error;
      });
      signedIn.end('SIGNED_OUT');
    },
    isSignedIn: signedIn.isSignedIn,
    onSignedOut: listeners.add,
    close: signedIn.close,
  };
};
