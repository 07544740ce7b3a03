import { AppError } from '@platform/shared/errors/app-error';
import type { Metrics } from '@platform/shared/metrics/metrics';
import type { SignInMethod } from '@platform/shared/platform/access/caller';
import { KIND_NAMES, type Kind } from '../kinds.ts';

/** Outcomes by error code. Any other error is an internal error or an overload, which counts as `error`. */
const SIGN_IN_FAILURES: Readonly<Record<string, string>> = {
  INVALID_CREDENTIALS: 'failure',
  SECOND_FACTOR_REQUIRED: 'second-factor-required',
  SECOND_FACTOR_INVALID: 'failure',
  CHALLENGE_INVALID: 'failure',
  RATE_LIMITED: 'throttled',
  USER_BLOCKED: 'blocked',
  OIDC_STATE_INVALID: 'failure',
  OIDC_DENIED: 'failure',
  OIDC_RESPONSE_INVALID: 'failure',
  OIDC_NO_ACCOUNT: 'rejected',
  OIDC_EMAIL_UNVERIFIED: 'rejected',
  ACCOUNT_EXISTS: 'rejected',
  EMAIL_TAKEN: 'rejected',
  DOMAIN_NOT_ALLOWED: 'rejected',
  PLATFORM_ROLE_INVALID: 'rejected',
};
const REFRESH_FAILURES: Readonly<Record<string, string>> = {
  REFRESH_TOKEN_SUPERSEDED: 'superseded',
  REFRESH_TOKEN_REUSED: 'reused',
  TOKEN_INVALID: 'invalid',
  SESSION_NOT_FOUND: 'invalid',
  USER_BLOCKED: 'blocked',
};

const toOutcome = (error: unknown, failures: Readonly<Record<string, string>>): string =>
  (error instanceof AppError && failures[error.code]) || 'error';
const listOutcomes = (success: string, failures: object): string[] => [
  ...new Set([success, ...Object.values(failures), 'error']),
];

/** Other methods are the providers, as `oidc:<name>`. */
const METHODS: SignInMethod[] = ['password', 'totp', 'recovery-code', 'passkey'];

export const createSessionMetrics = (metrics: Metrics, providers: readonly string[]) => {
  const countAttempt = metrics.counter('sign_ins_total', 'Sign-ins by outcome and by the last method', {
    kind: KIND_NAMES,
    outcome: listOutcomes('success', SIGN_IN_FAILURES),
    method: [...METHODS, ...providers.map((name) => `oidc:${name}`)],
  });
  const refreshes = metrics.counter('token_refreshes_total', 'Token refreshes by outcome', {
    kind: KIND_NAMES,
    outcome: listOutcomes('rotated', REFRESH_FAILURES),
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
        countAttempt({ kind, outcome: toOutcome(error, SIGN_IN_FAILURES), method });
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
      countRefresh(kind, toOutcome(error, REFRESH_FAILURES));
    },
  };
};

export type SessionMetrics = ReturnType<typeof createSessionMetrics>;
