import type { Metrics } from '@platform/shared/metrics/metrics';
import { KIND_NAMES, type Kind } from '../kinds.ts';
import { listOutcomes, type Outcomes, toOutcome } from './outcomes.ts';

const REFRESH_FAILURES: Outcomes = {
  REFRESH_TOKEN_SUPERSEDED: 'superseded',
  REFRESH_TOKEN_REUSED: 'reused',
  TOKEN_INVALID: 'invalid',
  SESSION_NOT_FOUND: 'invalid',
  USER_BLOCKED: 'blocked',
};

export const createRefreshMetrics = (metrics: Metrics) => {
  const refreshes = metrics.counter('token_refreshes_total', 'Token refreshes by outcome', {
    kind: KIND_NAMES,
    outcome: listOutcomes('rotated', REFRESH_FAILURES),
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
      countRefresh(kind, toOutcome(error, REFRESH_FAILURES));
    },
  };
};

export type RefreshMetrics = ReturnType<typeof createRefreshMetrics>;
