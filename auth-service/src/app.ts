import { AppError } from '@platform/shared/errors/app-error';
import { type ApiAppOptions, createApiApp } from '@platform/shared/openapi/create-api-app';
import type { ErrorRequestHandler } from 'express';
import { KIND_NAMES } from './kinds.ts';
import { clearRefreshCookie } from './sessions/refresh-token.ts';
import type { SessionsFeature } from './sessions/sessions-feature.ts';

type RefreshMetrics = SessionsFeature['metrics'];
type Options = Omit<ApiAppOptions, 'docsPath' | 'unknownFields' | 'errorHandlers' | 'operations'> & {
  operations: object;
  refreshMetrics: RefreshMetrics;
};

/**
 * A reused refresh token has ended its session, whichever operation received it, so clear the cookie, too.
 * Only failures are counted here; the operation counts the tokens that it has exchanged.
 */
const handleRefreshErrors =
  ({ countFailure }: RefreshMetrics): ErrorRequestHandler =>
  (error, { state: { operation } }, res, next) => {
    const kind = KIND_NAMES.find((name) => name === operation?.schema['x-kind']);
    if (kind && error instanceof AppError && error.code === 'REFRESH_TOKEN_REUSED') {
      const { name, options } = clearRefreshCookie(kind);
      res.clearCookie(name, options);
    }
    if (kind && operation?.schema['x-operation'] === 'refreshToken') countFailure(kind, error);
    next(error);
  };

/** The service's settings of the common HTTP pipeline (shared/src/openapi/create-api-app.ts). */
export const createApp = ({ refreshMetrics, ...options }: Options) =>
  createApiApp({
    ...options,
    docsPath: '/api',
    // Undeclared fields are allowed and dropped.
    unknownFields: 'drop',
    errorHandlers: [handleRefreshErrors(refreshMetrics)],
  });
