import { AppError } from '@platform/shared/errors/app-error';
import { type ApiAppOptions, createApiApp } from '@platform/shared/openapi/create-api-app';
import type { ErrorRequestHandler } from 'express';
import { clearRefreshCookie } from './sessions/refresh-token.ts';

type Options = Omit<ApiAppOptions, 'docsPath' | 'unknownFields' | 'errorHandlers' | 'operations'> & {
  operations: object;
};

const isValidationError = ({ status }: { status?: number }): boolean =>
  status === 400 || status === 413 || status === 415;

/**
 * Token errors take precedence over validation errors, although a refresh token is looked up after
 * validation.
 */
const prioritizeTokenErrors: ErrorRequestHandler = async (
  error,
  { state: { refreshRequest } },
  _res,
  next,
) => {
  if (refreshRequest && isValidationError(error)) await refreshRequest.getCaller();
  next(error);
};

/**
 * A reused refresh token has ended its session, whichever operation received it, so clear the cookie, too.
 */
const clearRevokedCookie: ErrorRequestHandler = (error, { state: { refreshRequest } }, res, next) => {
  if (refreshRequest && error instanceof AppError && error.code === 'REFRESH_TOKEN_REUSED') {
    const { name, options } = clearRefreshCookie(refreshRequest.kind);
    res.clearCookie(name, options);
  }
  next(error);
};

/** The service's settings of the common HTTP pipeline (shared/src/openapi/create-api-app.ts). */
export const createApp = (options: Options) =>
  createApiApp({
    ...options,
    docsPath: '/api',
    // Undeclared fields are allowed and dropped.
    unknownFields: 'drop',
    errorHandlers: [prioritizeTokenErrors, clearRevokedCookie],
  });
