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

/** The connection ends with it: what is left of the body would be taken for the next request. */
export const requestTimeout = (): AppError =>
  new AppError('REQUEST_TIMEOUT', 408, 'The request body did not arrive within 10 s; send it again.', {
    headers: { Connection: 'close' },
  });
