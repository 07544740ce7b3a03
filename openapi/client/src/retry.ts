import { isPlatformError } from './platform-error.ts';

export type RetryOptions = {
  /** Includes the first attempt. Default: 3. */
  maxAttempts?: number | undefined;
  /** A call that would have to wait longer fails immediately. Default: 30. */
  maxWaitSeconds?: number | undefined;
};

/** Spreads the retries of clients that were rejected in the same second. */
const JITTER_MILLISECONDS = 500;
const FIRST_BACKOFF_MILLISECONDS = 200;
const MAX_BACKOFF_MILLISECONDS = 30_000;

export const wait = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop);
  });

/** Uses `Retry-After` if the response had it, otherwise an exponential backoff. */
export const toRetryMilliseconds = (attempt: number, retryAfterSeconds: number | undefined): number => {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1_000 + Math.random() * JITTER_MILLISECONDS;
  const backoff = Math.min(FIRST_BACKOFF_MILLISECONDS * 2 ** attempt, MAX_BACKOFF_MILLISECONDS);
  return backoff * (0.5 + Math.random() / 2);
};

/** Repeats a call after a 429 or 503 with `Retry-After`. Use it for calls that change nothing. */
export const withRetries = async <Body>(
  call: () => Promise<Body>,
  { maxAttempts = 3, maxWaitSeconds = 30 }: RetryOptions,
  signal: AbortSignal | undefined,
): Promise<Body> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      const isBusy = isPlatformError(error) && (error.status === 429 || error.status === 503);
      const seconds = isBusy ? error.retryAfterSeconds : undefined;
      if (seconds === undefined || seconds > maxWaitSeconds || attempt >= maxAttempts) throw error;
      await wait(toRetryMilliseconds(attempt, seconds), signal);
    }
  }
};
