import { AppError } from '@platform/shared/errors/app-error';
import type { Metrics } from '@platform/shared/metrics/metrics';
import { KIND_NAMES, type Kind } from '../kinds.ts';

/** Outcomes by error code. Any other error is an internal error or an overload, which counts as `error`. */
const REFRESH_FAILURES: Readonly<Record<string, string>> = {
  REFRESH_TOKEN_SUPERSEDED: 'superseded',
  REFRESH_TOKEN_REUSED: 'reused',
  TOKEN_INVALID: 'invalid',
  SESSION_NOT_FOUND: 'invalid',
  USER_BLOCKED: 'blocked',
};

const toOutcome = (error: unknown): string =>
  (error instanceof AppError && REFRESH_FAILURES[error.code]) || 'error';

export const createRefreshMetrics = (metrics: Metrics) => {
  const refreshes = metrics.counter('token_refreshes_total', 'Token refreshes by outcome', {
    kind: KIND_NAMES,
    outcome: ['rotated', ...new Set(Object.values(REFRESH_FAILURES)), 'error'],
  });
  const countRefresh = (kind: Kind, outcome: string): void => refreshes({ kind, outcome });
  const countedErrors = new WeakSet<object>();

  return {
    countRefresh,

    /**
     * Counts each error once: a refresh rethrows the error of its token lookup, which has already been
     * counted.
     */
    countRefreshError: (kind: Kind, error: unknown): void => {
      if (!(error instanceof Error) || countedErrors.has(error)) return;
      countedErrors.add(error);
      countRefresh(kind, toOutcome(error));
    },
  };
};

export type RefreshMetrics = ReturnType<typeof createRefreshMetrics>;
