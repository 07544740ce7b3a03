import type { AccessToken } from './access-token.ts';
import type { SignedIn } from './device.ts';
import { isPlatformError } from './platform-error.ts';
import type { SessionState } from './session-state.ts';

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

type Dependencies = {
  state: SessionState;
  locks: Locks;
  lockName: () => string;
  /** Exchanges the refresh cookie for a new access token. */
  refresh: () => Promise<string>;
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

/** Renews the access token that all tabs share. */
export const createSessionManager = ({ state, locks, lockName, refresh }: Dependencies) => {
  let renewing: Promise<void> | undefined;
  let failure: unknown;

  const withLock = <Result>(work: () => Promise<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      locks.request(lockName(), () => work().then(resolve, reject)).catch(reject);
    });

  const renewWithRetries = async ([delay, ...later] = SUPERSEDED_DELAYS_MILLISECONDS): Promise<void> => {
    const [before, session] = [state.token(), state.session()];
    if (!session) return;
    try {
      state.saveToken(session.id, await refresh());
    } catch (error) {
      if (isPlatformError(error, 'REFRESH_TOKEN_SUPERSEDED') && delay !== undefined) {
        if (!(await state.waitForToken(before, delay))) await renewWithRetries(later);
        return;
      }
      if (isPlatformError(error, ...FINAL_ERRORS)) state.end(session.id, error.code);
      throw error;
    }
  };

  /** `before` and `known` are this tab's state before it waited for the lock; another tab may have refreshed since. */
  const renewLocked = async (before: AccessToken | undefined, known: number | undefined): Promise<void> => {
    if (state.token() !== before) return;
    const isRenewedElsewhere = state.record().tokenGeneration !== known;
    if (isRenewedElsewhere && (await state.waitForToken(before, TOKEN_WAIT_MILLISECONDS))) return;
    await renewWithRetries();
  };

  /** The generation of the newest token that this tab knows of. */
  const knownGeneration = (): number | undefined =>
    state.token()?.generation ?? state.record().tokenGeneration;

  const renewOnce = (): Promise<void> => {
    const [before, known] = [state.token(), knownGeneration()];
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

  const isExpiring = (): boolean =>
    state.session() !== undefined && (state.token()?.renewAt ?? 0) <= Date.now();

  return {
    withLock,
    /** The error of the latest failed refresh. */
    failure: (): unknown => failure,
    /**
     * Concurrent calls and tabs share one refresh; none if `used` is no longer the current token. If a refresh has failed
     * since the call began (`knownFailure`), the call fails with the same error.
     */
    renew: async (used: AccessToken | undefined, knownFailure?: unknown): Promise<void> => {
      if (state.token() !== used) return;
      if (failure !== knownFailure) throw failure;
      if (state.session()) await renewOnce();
    },
    /** Before a call: renews a missing token, or one that is about to expire. */
    renewIfExpiring: async (): Promise<void> => {
      if (isExpiring()) await renewOnce();
    },
    /** The same for a caller that holds the lock. */
    renewalHoldingLock: {
      failure: () => undefined,
      renew: (used: AccessToken | undefined): Promise<void> => renewLocked(used, knownGeneration()),
      renewIfExpiring: async (): Promise<void> => {
        if (isExpiring()) await renewLocked(state.token(), knownGeneration());
      },
    },
    /** Holds the lock, because the cookie of a concurrent refresh would replace the new one. */
    signIn: <Body extends SignedIn & { token: string }>(work: () => Promise<Body>) =>
      withLock(async () => {
        const { token, ...signedIn } = await work();
        state.saveSession(signedIn, token);
        return signedIn;
      }),
  };
};

export type SessionManager = ReturnType<typeof createSessionManager>;
