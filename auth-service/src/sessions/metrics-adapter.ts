import type { SignInMethod } from '@platform/shared/access/caller';
import { AppError } from '@platform/shared/errors/app-error';
import type { Metrics } from '@platform/shared/metrics/metrics';
import { KIND_NAMES, type Kind } from '../kinds.ts';

/** By error code; any other error is an internal error or an overload, counted as `error`. */
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
  OIDC_NO_ACCOUNT: 'refused',
  OIDC_EMAIL_UNVERIFIED: 'refused',
  ACCOUNT_EXISTS: 'refused',
  EMAIL_TAKEN: 'refused',
  DOMAIN_NOT_ALLOWED: 'refused',
  PLATFORM_ROLE_INVALID: 'refused',
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

/** Besides the providers, `oidc:<name>`. */
const METHODS: SignInMethod[] = ['password', 'totp', 'recovery-code', 'passkey'];

export const createSessionMetrics = (metrics: Metrics, providers: readonly string[]) => {
  const signIns = metrics.counter('sign_ins_total', 'Sign-ins by outcome and by the last method shown', {
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
    /** Counts the sign-in's result, which it passes on. `method` is the last one that the client shows. */
    countSignIn: async <Result>(
      kind: Kind,
      method: SignInMethod,
      signIn: Promise<Result>,
    ): Promise<Result> => {
      try {
        const result = await signIn;
        signIns({ kind, outcome: 'success', method });
        return result;
      } catch (error) {
        signIns({ kind, outcome: toOutcome(error, SIGN_IN_FAILURES), method });
        throw error;
      }
    },
    countRefresh,
    /** Counts each error once: a refresh rethrows the error of its token lookup, which is counted already. */
    countRefreshError: (kind: Kind, error: unknown): void => {
      if (!(error instanceof Error) || countedErrors.has(error)) return;
      countedErrors.add(error);
      countRefresh(kind, toOutcome(error, REFRESH_FAILURES));
    },
  };
};

export type SessionMetrics = ReturnType<typeof createSessionMetrics>;
