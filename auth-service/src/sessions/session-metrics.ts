import { AppError } from '@platform/shared/errors/app-error';
import type { Metrics } from '@platform/shared/metrics/metrics';
import { KIND_NAMES, type Kind } from '../kinds.ts';

const SIGN_IN_OUTCOMES = ['success', 'failure', 'throttled', 'blocked', 'refused', 'error'] as const;
const REFRESH_OUTCOMES = ['rotated', 'superseded', 'reused', 'invalid', 'blocked', 'error'] as const;

type SignInOutcome = (typeof SIGN_IN_OUTCOMES)[number];
type RefreshOutcome = (typeof REFRESH_OUTCOMES)[number];

/** By error code; any other error is an internal error or an overload, counted as `error`. */
const SIGN_IN_FAILURES: Readonly<Record<string, SignInOutcome>> = {
  INVALID_CREDENTIALS: 'failure',
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
  const signIns = metrics.counter('sign_ins_total', 'Sign-ins by outcome', {
    kind: KIND_NAMES,
    outcome: SIGN_IN_OUTCOMES,
  });
  const refreshes = metrics.counter('token_refreshes_total', 'Token refreshes by outcome', {
    kind: KIND_NAMES,
    outcome: REFRESH_OUTCOMES,
  });
  const countSignIn = (kind: Kind, outcome: SignInOutcome): void => signIns({ kind, outcome });
  const countRefresh = (kind: Kind, outcome: RefreshOutcome): void => refreshes({ kind, outcome });
  const countedErrors = new WeakSet<object>();

  return {
    countSignIn,
    countSignInError: (kind: Kind, error: unknown): void =>
      countSignIn(kind, SIGN_IN_FAILURES[getCode(error)] ?? 'error'),
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
