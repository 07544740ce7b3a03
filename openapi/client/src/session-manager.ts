import { abortable } from './abortable.ts';
import type { AccessToken } from './access-token.ts';
import type { SignedIn } from './device.ts';
import { isPlatformError, PlatformError, type RefreshFailure } from './platform-error.ts';
import type { SessionState } from './session-state.ts';
import { createTokenRequest } from './token-request.ts';

/** The subset of the browser's `LockManager` that the client uses. */
export type Locks = { request: (name: string, work: () => Promise<void>) => Promise<unknown> };

/**
 * Locks within one page, for unshared storage or without Web Locks. Concurrent tabs then get
 * REFRESH_TOKEN_SUPERSEDED.
 */
export const createLocalLocks = (): Locks => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    request: (_name, work) => {
      last = last.then(work, work);
      return last;
    },
  };
};

type Dependencies = {
  state: SessionState;
  locks: Locks;
  lockName: () => string;
  /** Exchanges the refresh cookie for a new access token. */
  refresh: (signal: AbortSignal) => Promise<string>;
  /** Limits how long a call waits for a refresh. */
  timeoutMilliseconds: number;
};

/**
 * The lock only saves requests. The tab that holds it may be blocked by a dialog or wait for a response that
 * never arrives.
 */
const LOCK_WAIT_MILLISECONDS = 2_000;
/** Another tab posts a renewed token immediately. If that tab was closed first, the token never arrives. */
const TOKEN_WAIT_MILLISECONDS = 300;

/** Renews the access token that all tabs share. */
export const createSessionManager = (dependencies: Dependencies) => {
  const { state, locks, lockName, refresh, timeoutMilliseconds } = dependencies;
  const requestToken = createTokenRequest(state, refresh, timeoutMilliseconds);
  let renewal: { startedAt: number; done: Promise<void>; controller: AbortController } | undefined;
  let failure: unknown;

  /**
   * Runs the work without the lock if it is not free in time. Rejects if the signal is aborted while waiting;
   * the work then never starts.
   */
  const withLock = async <Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> => {
    let release = (): void => undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const acquire = () =>
      new Promise<void>((acquired) => {
        timer = setTimeout(acquired, LOCK_WAIT_MILLISECONDS);
        const hold = () => {
          acquired();
          return released;
        };
        locks.request(lockName(), hold).catch(acquired);
      });
    try {
      await abortable({ signal }, acquire);
      return await work();
    } finally {
      clearTimeout(timer);
      release();
    }
  };

  /**
   * `before` and `known` are this tab's state before it waited for the lock. Another tab may have refreshed
   * since.
   */
  const renewLocked = async (
    before: AccessToken | undefined,
    known: number | undefined,
    signal?: AbortSignal,
  ): Promise<void> => {
    if (before === undefined) await abortable({ signal }, () => state.waitForSharedToken());
    if (state.token() !== before) return;
    const isRenewedElsewhere = state.record().tokenGeneration !== known;
    if (isRenewedElsewhere && (await state.waitForToken(before, TOKEN_WAIT_MILLISECONDS))) return;
    await abortable({ milliseconds: timeoutMilliseconds, signal }, requestToken);
  };

  /** The generation of the newest token that this tab knows of. */
  const knownGeneration = (): number | undefined =>
    state.token()?.generation ?? state.record().tokenGeneration;

  /**
   * Spares the other tabs from waiting for the same failure. After REFRESH_TOKEN_SUPERSEDED, one of them has
   * the token.
   */
  const reportFailure = (error: unknown, { aborted }: AbortSignal): never => {
    if (!aborted && isPlatformError(error) && error.code !== 'REFRESH_TOKEN_SUPERSEDED')
      state.postFailure({ ...error, message: error.message, at: Date.now() });
    throw error;
  };

  const startRenewal = () => {
    const [before, known, controller] = [state.token(), knownGeneration(), new AbortController()];
    const { signal } = controller;
    const work = () =>
      renewLocked(before, known, signal).catch((error: unknown) => reportFailure(error, signal));
    const done = abortable({ signal }, (waiting) => withLock(work, waiting))
      .catch((error: unknown) => {
        failure = error;
        throw error;
      })
      .finally(() => {
        renewal = undefined;
      });
    return { startedAt: Date.now(), done, controller };
  };

  const renewOnce = (): Promise<void> => {
    renewal ??= startRenewal();
    return renewal.done;
  };

  /** Another tab has renewed the token, and the new one has not arrived yet. */
  const isReplaced = ({ generation }: AccessToken): boolean =>
    (state.record().tokenGeneration ?? 0) > generation;

  const isExpiring = (): boolean => {
    if (state.session() === undefined) return false;
    const token = state.token();
    return token === undefined || token.renewAt <= Date.now() || isReplaced(token);
  };

  return {
    withLock,
    /** Rejects a renewal that waited for another tab's refresh, because that refresh failed. */
    onRefreshFailed: (failed: RefreshFailure): void => {
      if (renewal && renewal.startedAt <= failed.at)
        renewal.controller.abort(new PlatformError(failed.code, failed.message, failed));
    },
    /** The error of the latest failed refresh. */
    failure: (): unknown => failure,
    /**
     * Concurrent calls and tabs share one refresh. There is none if `used` is no longer the current token. If
     * a refresh has failed since the call began (`knownFailure`), the call fails with the same error.
     */
    renew: async (used: AccessToken | undefined, knownFailure?: unknown): Promise<void> => {
      if (state.token() !== used) return;
      if (failure !== knownFailure) throw failure;
      if (state.session()) await renewOnce();
    },
    /** Called before each call: renews a missing token, or one that is about to expire. */
    renewIfExpiring: async (): Promise<void> => {
      if (isExpiring()) await renewOnce();
    },
    /** The same functions for a caller that already holds the lock. */
    renewalHoldingLock: {
      failure: () => undefined,
      renew: (used: AccessToken | undefined): Promise<void> => renewLocked(used, knownGeneration()),
      renewIfExpiring: async (): Promise<void> => {
        if (isExpiring()) await renewLocked(state.token(), knownGeneration());
      },
    },
    /** Holds the lock, because the cookie of a concurrent refresh would replace the new one. */
    signIn: <Body extends SignedIn & { token: string }>(
      work: () => Promise<Body>,
      signal: AbortSignal,
      endsWithBrowser: () => boolean | undefined,
    ) =>
      withLock(async () => {
        const { token, ...signedIn } = await work();
        state.saveSession(signedIn, token, endsWithBrowser());
        return signedIn;
      }, signal),
  };
};

export type SessionManager = ReturnType<typeof createSessionManager>;
