import { AppError } from '@platform/shared/errors/app-error';
import type { Metrics } from '@platform/shared/metrics/metrics';
import type { SignInMethod } from '@platform/shared/platform/access/caller';
import { KIND_NAMES, type Kind } from '../kinds.ts';

/** Responses to a sign-in with an outcome of their own. */
const SIGN_IN_OUTCOMES: Readonly<Record<string, string>> = {
  SECOND_FACTOR_REQUIRED: 'second-factor-required',
  USER_BLOCKED: 'blocked',
};

/**
 * The outcome follows from the status, so that a new error code of a sign-in needs no entry here: a wrong
 * proof, a rule that rejects the account, too many attempts. Anything else is a bug, an overload or an outage.
 */
const toSignInOutcome = (error: unknown): string => {
  if (!(error instanceof AppError)) return 'error';
  const { code, status } = error;
  if (SIGN_IN_OUTCOMES[code]) return SIGN_IN_OUTCOMES[code];
  if (status === 401) return 'failure';
  if (status === 429) return 'throttled';
  return status < 500 ? 'rejected' : 'error';
};
const REFRESH_FAILURES: Readonly<Record<string, string>> = {
  REFRESH_TOKEN_SUPERSEDED: 'superseded',
  REFRESH_TOKEN_REUSED: 'reused',
  TOKEN_INVALID: 'invalid',
  SESSION_NOT_FOUND: 'invalid',
  USER_BLOCKED: 'blocked',
};

const toRefreshOutcome = (error: unknown): string =>
  (error instanceof AppError && REFRESH_FAILURES[error.code]) || 'error';

/** Other methods are the providers, as `oidc:<name>`. */
const METHODS: SignInMethod[] = ['password', 'totp', 'recovery-code', 'passkey'];

export const createSessionMetrics = (metrics: Metrics, providers: readonly string[]) => {
  const countAttempt = metrics.counter('sign_ins_total', 'Sign-ins by outcome and by the last method', {
    kind: KIND_NAMES,
    outcome: ['success', ...Object.values(SIGN_IN_OUTCOMES), 'failure', 'throttled', 'rejected', 'error'],
    method: [...METHODS, ...providers.map((name) => `oidc:${name}`)],
  });
  const refreshes = metrics.counter('token_refreshes_total', 'Token refreshes by outcome', {
    kind: KIND_NAMES,
    outcome: ['rotated', ...new Set(Object.values(REFRESH_FAILURES)), 'error'],
  });
  const countRefresh = (kind: Kind, outcome: string): void => refreshes({ kind, outcome });
  const countedErrors = new WeakSet<object>();

  return {
    /** Counts the result of the sign-in and returns it. `method` is the last method of the sign-in. */
    countSignIn: async <Result>(
      kind: Kind,
      method: SignInMethod,
      attempt: Promise<Result>,
    ): Promise<Result> => {
      try {
        const result = await attempt;
        countAttempt({ kind, outcome: 'success', method });
        return result;
      } catch (error) {
        countAttempt({ kind, outcome: toSignInOutcome(error), method });
        throw error;
      }
    },
    countRefresh,
    /**
     * Counts each error once: a refresh rethrows the error of its token lookup, which has already been
     * counted.
     */
    countRefreshError: (kind: Kind, error: unknown): void => {
      if (!(error instanceof Error) || countedErrors.has(error)) return;
      countedErrors.add(error);
      countRefresh(kind, toRefreshOutcome(error));
    },
  };
};

export type SessionMetrics = ReturnType<typeof createSessionMetrics>;
