import { AppError } from '@platform/shared/errors/app-error';
import type { Metrics } from '@platform/shared/metrics/metrics';
import { KIND_NAMES, type Kind } from '../kinds.ts';

/** Outcomes by error code. */
const FAILURES: Readonly<Record<string, string>> = {
  REFRESH_TOKEN_SUPERSEDED: 'superseded',
  REFRESH_TOKEN_REUSED: 'reused',
  TOKEN_INVALID: 'invalid',
  SESSION_NOT_FOUND: 'invalid',
  USER_BLOCKED: 'blocked',
};

export const createRefreshMetrics = (metrics: Metrics) => {
  const refreshes = metrics.counter('token_refreshes_total', 'Token refreshes by outcome', {
    kind: KIND_NAMES,
    outcome: ['rotated', ...new Set(Object.values(FAILURES)), 'error'],
  });
  return {
    countRotated: (kind: Kind): void => refreshes({ kind, outcome: 'rotated' }),

    /** A request that the contract rejects is no refresh, so it is not counted. */
    countFailure: (kind: Kind, error: { status?: number }): void => {
      const failure = error instanceof AppError ? FAILURES[error.code] : undefined;
      const outcome = failure ?? ((error.status ?? 500) >= 500 ? 'error' : undefined);
      if (outcome) refreshes({ kind, outcome });
    },
  };
};

export type RefreshMetrics = ReturnType<typeof createRefreshMetrics>;
