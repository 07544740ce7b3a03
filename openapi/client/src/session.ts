import { abortable, TIMEOUT_SECONDS } from './abortable.ts';
import type { AccessToken } from './access-token.ts';
import type { CreateWorker } from './bot-check.ts';
import { signOutClosed } from './closed-session.ts';
import { type CookieJar, createCookieJar } from './cookie-jar.ts';
import { createDevice, createMemoryStorage, type DeviceStorage, findBrowserStorage } from './device.ts';
import { type Kind, ROUTES } from './kinds.ts';
import { createOpenSession } from './open-session.ts';
import type { CallSignal } from './operation-types.ts';
import { onPageShown } from './page-shown.ts';
import { signedInAsAnother } from './platform-error.ts';
import { withRefusedOrigin } from './refused-origin.ts';
import { createRequestFunction, type RequestFunction } from './request-function.ts';
import { withRequestId } from './request-id.ts';
import { createAuthenticatedSend, createSendOnce, type Fetch, withBotCheck } from './send.ts';
import { createLocalLocks, createSessionManager, type Locks } from './session-manager.ts';
import { createSessionState, type SessionState } from './session-state.ts';
import { connectTabs } from './tab-channel.ts';
import { createUpdate } from './user-update.ts';

export type SessionOptions<K extends Kind> = {
  /** The gateway's origin, such as `https://api.example.com`; empty for the page's own origin. */
  gatewayUrl: string;
  kind: K;
  /** Identifies the device. Default: a random one, which is stored. */
  fingerprint?: string;
  /**
   * Stores the session, its user and the fingerprint. Default: `localStorage` in a page, memory elsewhere.
   */
  storage?: DeviceStorage;
  /** Default: the browser's cookies, or a new jar where `fetch` stores none. */
  cookies?: CookieJar;
  /** Ensures that only one tab refreshes at a time. Default: `navigator.locks`. */
  locks?: Locks;
  /**
   * The language of mails and of the sentences of `createMessages`: a tag such as `de` or `de-DE`. Default:
   * the browser's, for mails.
   */
  language?: string | undefined;
  /** The time zone of the times in mails: an IANA name such as `Europe/Berlin`. Default: that of the browser in a page. */
  timeZone?: string | undefined;
  /** Must pass both arguments to the platform's `fetch`; the second one aborts the request. */
  fetch?: Fetch;
  /** A call without a response rejects with GATEWAY_UNREACHABLE after this time. Default: 10. */
  timeoutSeconds?: number | undefined;
  /**
   * In a page, a sign-in without `staySignedIn` ends when the browser is closed. One on the platform's account pages
   * brings its choice along. Default: false.
   */
  endWithBrowser?: boolean | undefined;
  /** Creates the worker of `@platform/client/bot-check-worker`. Default: found by the bundler. */
  createBotCheckWorker?: CreateWorker | undefined;
};

/** A server does not need `keepalive`, and the `fetch` of Next.js rejects it for a request with a body. */
const IS_PAGE = 'document' in globalThis;

/** With `keepalive`, the browser completes the request and stores the new cookie even if the page is left. */
const requestInTime =
  (request: RequestFunction, milliseconds: number): RequestFunction =>
  (method, path, { signal, ...call }: CallSignal = {}) =>
    abortable({ milliseconds, signal }, (limited) =>
      request(method, path, { ...call, keepalive: IS_PAGE, signal: limited }),
    );

const createState = <K extends Kind>(
  { kind, fingerprint, storage }: SessionOptions<K>,
  listeners: Pick<Parameters<typeof createSessionState>[0], 'onChange' | 'onRefreshFailed'>,
) => {
  const shared = storage ?? findBrowserStorage();
  const ownStorage = shared ?? createMemoryStorage();
  const device = createDevice(ownStorage, kind, fingerprint);
  // The other kinds, too, because a sign-in of this kind will set the cookie for all of them.
  for (const other in ROUTES)
    if (typeof ownStorage.getItem(`platform.${other}`) === 'string')
      void createDevice(ownStorage, other).load();
  // Tabs that open at the same time may have chosen different fingerprints, so the name uses the kind. Other
  // storage may exist more than once, so it uses the fingerprint.
  const nameFor = (ofDevice: string) => `platform.${storage ? ofDevice : kind}`;
  const state = createSessionState({
    device,
    connect: shared && ((ofDevice, tab) => connectTabs(nameFor(ofDevice), device.key, tab)),
    ...listeners,
  });
  return {
    state,
    storage: ownStorage,
    isShared: shared !== undefined,
    lockName: () => nameFor(state.record().fingerprint),
  };
};

export const createSession = <K extends Kind>(
  options: SessionOptions<K>,
  onChange: Parameters<typeof createSessionState>[0]['onChange'],
) => {
  const { auth } = ROUTES[options.kind];
  const gatewayUrl = options.gatewayUrl.replace(/\/$/, '');
  const milliseconds = (options.timeoutSeconds ?? TIMEOUT_SECONDS) * 1_000;
  const { state, storage, isShared, lockName } = createState(options, {
    onChange,
    onRefreshFailed: (failure) => manager.onRefreshFailed(failure),
  });
  const fetchOnce = withRefusedOrigin(
    gatewayUrl,
    options.fetch ?? ((...request: Parameters<Fetch>) => fetch(...request)),
  );
  const cookies = options.cookies ?? createCookieJar();
  // A server is in another time zone than the user whom it serves.
  const pageTimeZone = IS_PAGE ? Intl.DateTimeFormat().resolvedOptions().timeZone : undefined;
  const { language, timeZone = pageTimeZone } = options;
  const createSend = (sender: Pick<SessionState, 'record'>) =>
    createSendOnce({ state: sender, cookies, language, timeZone, fetch: fetchOnce });
  const sendOnce = createSend(state);
  /** Sends requests as the device and session of a record that is not saved yet. */
  const requestAs = (record: SessionState['record'], token?: AccessToken) => {
    const send = createSend({ record });
    return createRequestFunction(gatewayUrl, (request, call) => send(request, call, token));
  };
  const sendUnauthenticated = requestAs(state.record);
  const refresh = async (signal: AbortSignal): Promise<string> => {
    const call = { keepalive: IS_PAGE, signal };
    const { token }: { token: string } = await sendUnauthenticated('get', `${auth}/refresh/token`, call);
    return token;
  };
  const webLocks = isShared ? (globalThis.navigator?.locks as Locks | undefined) : undefined;
  const locks = options.locks ?? webLocks ?? createLocalLocks();
  const manager = createSessionManager({
    state,
    locks,
    lockName,
    refresh,
    timeoutMilliseconds: milliseconds,
  });

  const send = createRequestFunction(
    gatewayUrl,
    withBotCheck(createAuthenticatedSend(sendOnce, state, manager), {
      gatewayUrl,
      createWorker: options.createBotCheckWorker,
    }),
  );
  const sendHoldingLock = withRequestId(
    requestInTime(
      createRequestFunction(gatewayUrl, createAuthenticatedSend(sendOnce, state, manager.renewalHoldingLock)),
      milliseconds,
    ),
  );
  const endClosed = async (): Promise<void> => {
    await state.ready;
    if (state.record().closed)
      await signOutClosed({ auth, state, requestAs, withLock: manager.withLock, milliseconds });
  };
  const update = createUpdate(state);
  const request: RequestFunction = (method, path, { signal, ...call }: CallSignal = {}) =>
    abortable({ milliseconds, signal }, async (limited) => {
      if (state.ready !== undefined) await state.ready;
      const sessionId = state.knownSessionId();
      const body = await send(method, path, { ...call, signal: limited });
      update(path, body, sessionId);
      return body;
    });
  // The platform may have ended the session while the page was hidden.
  const check = () => (state.session() ? request('get', `${auth}/me`) : endClosed());
  const stopChecking = onPageShown(() => check().catch(() => undefined));
  void endClosed().catch(() => undefined);
  const openSession = createOpenSession({
    auth,
    state,
    manager,
    send: requestInTime(sendUnauthenticated, milliseconds),
    endWithBrowser: options.endWithBrowser,
  });
  /**
   * Ends the session, if there is one, with a request by `send`. Holds the lock, so that it neither overlaps
   * a refresh nor ends the session of another user who signs in meanwhile. Without `send`, the session ends
   * immediately and only on this device.
   */
  const closeSession = (
    send?: (request: RequestFunction, signal: AbortSignal) => Promise<unknown>,
    call: CallSignal = {},
  ): Promise<void> =>
    abortable(call, async (signal) => {
      if (state.ready !== undefined) await state.ready;
      const sessionId = state.session()?.id;
      if (sessionId === undefined) return;
      if (send)
        await manager.withLock(async () => {
          if (state.session()?.id !== sessionId) throw signedInAsAnother();
          await send(sendHoldingLock, signal);
        }, signal);
      state.end(sessionId, 'SIGNED_OUT');
      await state.saved();
    });
  const close = () => {
    stopChecking();
    state.close();
  };
  const { withLock } = manager;
  return {
    kind: options.kind,
    gatewayUrl,
    auth,
    state,
    storage,
    request,
    requestAs,
    withLock,
    openSession,
    closeSession,
    close,
  };
};

type ClientSession = ReturnType<typeof createSession>;

const sessions = new WeakMap<object, ClientSession>();

/**
 * Lets the package's other entry points use the session of a client without making it part of the client's
 * interface.
 */
export const registerClient = <Client extends object>(client: Client, session: ClientSession): Client => {
  sessions.set(client, session);
  return client;
};

/** @throws Error unless the object was returned by `createPlatformClient` of this copy of the package */
export const getSession = (client: object): ClientSession => {
  const session = sessions.get(client);
  if (!session) throw new Error('Not a client of this copy of @platform/client');
  return session;
};
