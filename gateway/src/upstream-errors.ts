import { AppError } from '@platform/shared/errors/app-error';

export const upstreamUnavailable = (cause: unknown): AppError =>
  new AppError('UPSTREAM_UNAVAILABLE', 502, 'The service cannot be reached', {
    headers: { 'Retry-After': '1' },
    cause,
  });

export const upstreamTimeout = (): AppError =>
  new AppError('UPSTREAM_TIMEOUT', 504, 'The service did not answer in time');

export const requestTimeout = (): AppError =>
  new AppError('REQUEST_TIMEOUT', 408, 'The request did not arrive in time');
