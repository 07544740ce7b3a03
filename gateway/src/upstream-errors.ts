import { AppError } from '@platform/shared/errors/app-error';

/** `url` names the instance in the log; it is never sent. */
export const upstreamUnavailable = (url: string | undefined, cause: unknown): AppError =>
  new AppError('UPSTREAM_UNAVAILABLE', 502, 'The service cannot be reached', {
    headers: { 'Retry-After': '1' },
    cause: new Error(`${url} failed`, { cause }),
  });

export const upstreamTimeout = (url: string | undefined): AppError =>
  new AppError('UPSTREAM_TIMEOUT', 504, 'The service did not answer in time', {
    cause: new Error(`${url} did not answer in time`),
  });

export const requestTimeout = (): AppError =>
  new AppError('REQUEST_TIMEOUT', 408, 'The request did not arrive in time');
