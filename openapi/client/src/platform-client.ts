import createClient from 'openapi-fetch';
import type { Answer, Call, JsonBody } from './calls.ts';
import { type CookieJar, createCookieJar } from './cookie-jar.ts';
import { createDevice, createMemoryStorage, type DeviceStorage, findBrowserStorage } from './device.ts';
import { type Kind, type PathsOf, ROUTES, type SignInOperations } from './kinds.ts';
import { isPlatformError } from './platform-error.ts';
import { createDeliver, createSend } from './send.ts';
import { createSignedIn, type Locks, type SignOutReason } from './signed-in.ts';

/** Longer than the gateway waits for a service: a refresh that is given up too early loses its cookie. */
const REFRESH_MILLISECONDS = 35_000;

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

/** What comes back has the type that the documents promise: the platform checks its answers against them. */
type Method = 'get' | 'post' | 'patch' | 'delete';
type Ask = (method: Method, path: string, options?: object) => Promise<never>;

/** openapi-fetch writes the address and the body, and reads the answer; what `send` throws comes out as it is. */
const createAsk = (gatewayUrl: string, send: (request: Request) => Promise<Response>): Ask => {
  const { request } = createClient<Record<string, Record<Method, object>>>({
    baseUrl: `${gatewayUrl.replace(/\/$/, '')}/api/v1`,
    credentials: 'include',
    redirect: 'error',
    fetch: send,
  });
  return async (method, path, options) => (await request(method, path, options as never)).data as never;
};

type Listener = (reason: SignOutReason) => void;

const createSession = <K extends Kind>(options: PlatformClientOptions<K>, onSignedOut: Listener) => {
  const { gatewayUrl, kind, fingerprint, cookies = createCookieJar() } = options;
  const shared = options.storage ?? findBrowserStorage();
  const device = createDevice(shared ?? createMemoryStorage(), kind, fingerprint);
  const deliver = createDeliver(device, cookies, options.fetch ?? ((request) => fetch(request)));
  const askPlainly = createAsk(gatewayUrl, deliver);
  const exchange = async (): Promise<string> => {
    // Kept alive, so that a page that is left in the middle does not lose the new cookie.
    const limits = { keepalive: true, signal: AbortSignal.timeout(REFRESH_MILLISECONDS) };
    const { token }: { token: string } = await askPlainly(
      'get',
      `${ROUTES[kind].auth}/refresh/token`,
      limits,
    );
    return token;
  };
  const locks = shared && (options.locks ?? (globalThis.navigator?.locks as Locks | undefined));
  const signedIn = createSignedIn({ device, isShared: shared !== undefined, locks, exchange, onSignedOut });
  return { signedIn, askPlainly, ask: createAsk(gatewayUrl, createSend(deliver, signedIn)) };
};

/** Every call resolves to the body of its success or rejects with a `PlatformError`; an aborted one with its reason. */
export const createPlatformClient = <K extends Kind>(
  options: PlatformClientOptions<K>,
): PlatformClient<K> => {
  const { auth, signUp } = ROUTES[options.kind];
  const listeners = createListeners();
  const { signedIn, askPlainly, ask } = createSession(options, listeners.tell);
  return {
    GET: (path, ...[call]) => ask('get', path, call),
    POST: (path, ...[call]) => ask('post', path, call),
    PATCH: (path, ...[call]) => ask('patch', path, call),
    DELETE: (path, ...[call]) => ask('delete', path, call),
    signUp: (body) => ask('post', signUp, { body }),
    signIn: (body) => signedIn.signIn(() => askPlainly('post', `${auth}/sign-in`, { body })),
    signOut: async () => {
      if (!signedIn.isSignedIn()) return;
      await ask('get', `${auth}/sign-out`).catch((error: unknown) => {
        // The tokens have ended already.
        if (!isPlatformError(error) || error.status !== 401) throw error;
      });
      signedIn.end('SIGNED_OUT');
    },
    isSignedIn: signedIn.isSignedIn,
    onSignedOut: listeners.add,
    close: signedIn.close,
  };
};
