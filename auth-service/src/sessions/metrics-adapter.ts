import { SIGN_IN_METHODS, type SignInMethod } from '@platform/shared/access/caller';
import { AppError } from '@platform/shared/errors/app-error';
import type { Metrics } from '@platform/shared/metrics/metrics';
import { KIND_NAMES, type Kind } from '../kinds.ts';

const SIGN_IN_OUTCOMES = [
  'success',
  'second-factor-required',
  'failure',
  'throttled',
  'blocked',
  'refused',
  'error',
] as const;
const REFRESH_OUTCOMES = ['rotated', 'superseded', 'reused', 'invalid', 'blocked', 'error'] as const;

type SignInOutcome = (typeof SIGN_IN_OUTCOMES)[number];
type RefreshOutcome = (typeof REFRESH_OUTCOMES)[number];

/** By error code; any other error is an internal error or an overload, counted as `error`. */
const SIGN_IN_FAILURES: Readonly<Record<string, SignInOutcome>> = {
  INVALID_CREDENTIALS: 'failure',
  SECOND_FACTOR_REQUIRED: 'second-factor-required',
  SECOND_FACTOR_INVALID: 'failure',
  CHALLENGE_INVALID: 'failure',
  RATE_LIMITED: 'throttled',
  USER_BLOCKED: 'blocked',
  DOMAIN_NOT_ALLOWED: 'refused',
  PLATFORM_ROLE_INVALID: 'refused',
};
const REFRESH_FAILURES: Readonly<Record<string, RefreshOutcome>> = {
  REFRESH_TOKEN_SUPERSEDED: 'superseded',
  REFRESH_TOKEN_REUSED: 'reused',
  TOKEN_INVALID: 'invalid',
  SESSION_NOT_FOUND: 'invalid',
  USER_BLOCKED: 'blocked',
};

const getCode = (error: unknown): string => (error instanceof AppError ? error.code : '');

export const createSessionMetrics = (metrics: Metrics) => {
  const signIns = metrics.counter('sign_ins_total', 'Sign-ins by outcome and by the last method shown', {
    kind: KIND_NAMES,
    outcome: SIGN_IN_OUTCOMES,
    method: SIGN_IN_METHODS,
  });
  const refreshes = metrics.counter('token_refreshes_total', 'Token refreshes by outcome', {
    kind: KIND_NAMES,
    outcome: REFRESH_OUTCOMES,
  });
  const countSignIn = (kind: Kind, outcome: SignInOutcome, method: SignInMethod): void =>
    signIns({ kind, outcome, method });
  const countRefresh = (kind: Kind, outcome: RefreshOutcome): void => refreshes({ kind, outcome });
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
        countSignIn(kind, 'success', method);
        return result;
      } catch (error) {
        countSignIn(kind, SIGN_IN_FAILURES[getCode(error)] ?? 'error', method);
        throw error;
      }
    },
    countRefresh,
    /** Counts each error once: a refresh rethrows the error of its token lookup, which is counted already. */
    countRefreshError: (kind: Kind, error: unknown): void => {
      if (!(error instanceof Error) || countedErrors.has(error)) return;
      countedErrors.add(error);
      countRefresh(kind, REFRESH_FAILURES[getCode(error)] ?? 'error');
    },
  };
};

export type SessionMetrics = ReturnType<typeof createSessionMetrics>;
