import { type AccessToken, getRenewalTime } from './access-token.ts';
import type { Device } from './device.ts';
import { isPlatformError } from './platform-error.ts';
import { nullTabChannel, openTabChannel } from './tab-channel.ts';

/** Why the session ended: a sign-out or sign-in in any tab, or an error code of the platform. */
export type SignOutReason =
  | 'SIGNED_OUT'
  | 'SIGNED_IN_AS_ANOTHER'
  | 'TOKEN_INVALID'
  | 'REFRESH_TOKEN_REUSED'
  | 'SESSION_NOT_FOUND'
  | 'USER_BLOCKED'
  | 'VALIDATION_FAILED';

/** The subset of the browser's `LockManager` that the client uses. */
export type Locks = { request: (name: string, work: () => Promise<void>) => Promise<unknown> };

/** Locks within one page, for unshared storage or without Web Locks; concurrent tabs then get REFRESH_TOKEN_SUPERSEDED. */
export const createLocalLocks = (): Locks => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    request: (_name, work) => {
      last = last.then(work, work);
      return last;
    },
  };
};

type Session = { id: string; fingerprint: string };
type Message = { renewed: AccessToken } | { ended: string; reason: SignOutReason };

type Dependencies = {
  device: Device;
  /** Whether other tabs use the same storage. */
  isShared: boolean;
  locks: Locks;
  /** Exchanges the refresh cookie for a new access token. */
  refresh: () => Promise<string>;
  onSignedOut: (reason: SignOutReason) => void;
};

/** Another tab posts a renewed token at once; if it was closed first, the token never arrives. */
const TOKEN_WAIT_MILLISECONDS = 300;
/** Another tab's refresh is in progress; the same request succeeds after its cookie has arrived. */
const SUPERSEDED_DELAYS_MILLISECONDS = [100, 400, 1_600];

/** Errors of a refresh that end the session. */
const FINAL_ERRORS = [
  'TOKEN_INVALID',
  'REFRESH_TOKEN_REUSED',
  'SESSION_NOT_FOUND',
  'USER_BLOCKED',
  'VALIDATION_FAILED',
] as const;

/** Manages the session of this device and the access token that all tabs share. */
export const createSessionManager = ({ device, isShared, locks, refresh, onSignedOut }: Dependencies) => {
  let current: AccessToken | undefined;
  let renewing: Promise<void> | undefined;
  let failure: unknown;
  const tokenListeners = new Set<() => void>();

  const acceptToken = (token: AccessToken): void => {
    if (current && current.generation >= token.generation) return;
    const isAnother = current !== undefined && current.sessionId !== token.sessionId;
    current = token;
    for (const onToken of tokenListeners) onToken();
    if (isAnother) onSignedOut('SIGNED_IN_AS_ANOTHER');
  };

  const clearToken = (sessionId: string, reason: SignOutReason): void => {
    if ((current?.sessionId ?? device.read().sessionId ?? sessionId) !== sessionId) return;
    current = undefined;
    onSignedOut(reason);
  };

  const handleMessage = (message: Message): void => {
    if ('ended' in message) clearToken(message.ended, message.reason);
    // A token of another session was posted before this tab signed out.
    else if (message.renewed.sessionId === device.read().sessionId) acceptToken(message.renewed);
  };

  const name = `platform.${device.read().fingerprint}`;
  const channel = isShared ? openTabChannel<Message>(name, handleMessage) : nullTabChannel;
  const withLock = <Result>(work: () => Promise<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      locks.request(name, () => work().then(resolve, reject)).catch(reject);
    });

  const saveToken = ({ id: sessionId, fingerprint }: Session, token: string): void => {
    const generation = Math.max(Date.now(), (device.read().generation ?? 0) + 1);
    const renewed = { token, sessionId, generation, renewAt: getRenewalTime(token) };
    device.save({ fingerprint, sessionId, generation });
    channel.post({ renewed });
    acceptToken(renewed);
  };

  const end = (reason: SignOutReason): void => {
    const stored = device.read().sessionId;
    const ended = current?.sessionId ?? stored;
    if (ended === undefined) return;
    if (stored === ended) device.forgetSession();
    channel.post({ ended, reason });
    clearToken(ended, reason);
  };

  /** Resolves with whether another tab's token replaces `before` in time. */
  const waitForToken = (before: AccessToken | undefined, milliseconds: number): Promise<boolean> =>
    new Promise((resolve) => {
      if (current !== before) return resolve(true);
      const settle = (hasArrived: boolean) => {
        tokenListeners.delete(arrived);
        clearTimeout(timer);
        resolve(hasArrived);
      };
      const arrived = () => settle(true);
      const timer = setTimeout(() => settle(false), milliseconds);
      tokenListeners.add(arrived);
    });

  const renewWithRetries = async (
    session: Session,
    [delay, ...later] = SUPERSEDED_DELAYS_MILLISECONDS,
  ): Promise<void> => {
    const before = current;
    try {
      saveToken(session, await refresh());
    } catch (error) {
      if (isPlatformError(error, 'REFRESH_TOKEN_SUPERSEDED') && delay !== undefined) {
        if (!(await waitForToken(before, delay))) await renewWithRetries(session, later);
        return;
      }
      if (isPlatformError(error, ...FINAL_ERRORS)) end(error.code);
      throw error;
    }
  };

  /** `before` and `known` are this tab's state before it waited for the lock; another tab may have refreshed since. */
  const renewLocked = async (before: AccessToken | undefined, known: number | undefined): Promise<void> => {
    if (current !== before) return;
    const { sessionId, fingerprint, generation } = device.read();
    if (sessionId === undefined) return end('SIGNED_OUT');
    if (before && before.sessionId !== sessionId) return end('SIGNED_IN_AS_ANOTHER');
    if (generation !== known && (await waitForToken(before, TOKEN_WAIT_MILLISECONDS))) return;
    await renewWithRetries({ id: sessionId, fingerprint });
  };

  const renew = (): Promise<void> => {
    const [before, known] = [current, current?.generation ?? device.read().generation];
    renewing ??= withLock(() => renewLocked(before, known))
      .catch((error: unknown) => {
        failure = error;
        throw error;
      })
      .finally(() => {
        renewing = undefined;
      });
    return renewing;
  };

  const isSignedIn = (): boolean => current !== undefined || device.read().sessionId !== undefined;

  return {
    isSignedIn,
    current: (): AccessToken | undefined => current,
    /** The error of the latest failed refresh. */
    failure: (): unknown => failure,
    /**
     * Concurrent calls and tabs share one refresh; none if `used` is no longer the current token. If a refresh has failed
     * since the call began (`knownFailure`), the call fails with the same error.
     */
    renew: async (used: AccessToken | undefined, knownFailure: unknown): Promise<void> => {
      if (current !== used) return;
      if (failure !== knownFailure) throw failure;
      if (isSignedIn()) await renew();
    },
    /** Before a call: renews a missing token, or one that is about to expire. */
    renewIfExpiring: async (): Promise<void> => {
      if (isSignedIn() && (current?.renewAt ?? 0) <= Date.now()) await renew();
    },
    /** Holds the lock, because the cookie of a concurrent refresh would replace the new one. */
    signIn: <Body extends { token: string; session: Session }>(work: () => Promise<Body>) =>
      withLock(async () => {
        const { token, ...rest } = await work();
        current = undefined;
        saveToken(rest.session, token);
        return rest;
      }),
    end,
    close: () => channel.close(),
  };
};

export type SessionManager = ReturnType<typeof createSessionManager>;
