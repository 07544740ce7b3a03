import { abortable } from './abortable.ts';
import { isPlatformError, PlatformError, requireSuccess, type ServiceErrorCode } from './platform-error.ts';
import { toRetryMilliseconds, wait } from './retry.ts';

export type ServiceError = PlatformError<ServiceErrorCode>;

export type ServiceClientOptions = {
  /** The origins of the platform's services, as this service reaches them. Do not use the gateway's. */
  authUrl: string;
  adminUrl: string;
  /** The service's name in SERVICES. */
  name: string;
  /** The value of SERVICE_<NAME>_SECRET. A single one, even while the platform accepts two. */
  secret: string;
  /**
   * The timeout of a call including its retries; of `find…`, for each 100 ids. Default: 4, so that two calls
   * in a row end before the gateway's timeout of 10 s.
   */
  timeoutSeconds?: number | undefined;
  /** Called before each retry, to log or count it. `events` never stops retrying. */
  onRetry?: ((error: ServiceError, delayMilliseconds: number) => void) | undefined;
};

export type Timeouts = { attemptSeconds: number; totalSeconds: number; hasRetries?: boolean };
export type Target = {
  origin: string;
  path: string;
  method?: string;
  body?: URLSearchParams | string;
  headers?: Record<string, string>;
};

export const isTemporary = (error: unknown): error is ServiceError =>
  isPlatformError<ServiceErrorCode>(error) && [0, 429, 502, 503, 504].includes(error.status);

/** Encodes the credentials as in RFC 7617, with UTF-8. */
const toBasic = (name: string, secret: string): string =>
  `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${name}:${secret}`)))}`;

/** Returns a function that sends a request to an internal operation, and repeats it while the failure is temporary. */
export const createCall = (
  { name, secret, onRetry }: ServiceClientOptions,
  authorization = toBasic(name, secret),
) => {
  const send = async (
    { origin, path, headers, ...rest }: Target,
    signal: AbortSignal | undefined,
    milliseconds: number,
  ) => {
    const url = `${origin.replace(/\/$/, '')}/internal/v1${path}`;
    const request = async (limited: AbortSignal) => {
      const response = await fetch(url, {
        ...rest,
        headers: { ...headers, Authorization: authorization },
        redirect: 'error',
        cache: 'no-store',
        signal: limited,
      });
      const body = requireSuccess(response, await response.text()) as object | undefined;
      const etag = response.headers.get('ETag');
      return etag === null ? body : { ...body, etag };
    };
    return await abortable({ signal, milliseconds }, request).catch((error: unknown): never => {
      if (signal?.aborted) throw signal.reason;
      if (isPlatformError(error) && error.status > 0) throw error;
      throw new PlatformError('SERVICE_UNREACHABLE', `No response from ${origin}`, {}, error);
    });
  };

  return async (
    target: Target,
    { attemptSeconds, totalSeconds, hasRetries = true }: Timeouts,
    signal: AbortSignal | undefined,
  ): Promise<unknown> => {
    const end = Date.now() + totalSeconds * 1_000;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await send(target, signal, Math.min(attemptSeconds * 1_000, end - Date.now()));
      } catch (error) {
        if (!hasRetries || !isTemporary(error)) throw error;
        const delay = toRetryMilliseconds(attempt, error.retryAfterSeconds);
        if (Date.now() + delay >= end) throw error;
        onRetry?.(error, delay);
        await wait(delay, signal);
      }
    }
  };
};
