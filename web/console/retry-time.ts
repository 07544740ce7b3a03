import { isPlatformError } from '@platform/client';

/** When a limited action is possible again, in milliseconds since 1970; 0 for any other error. */
export const retryTimeOf = (error: unknown): number => {
  if (!isPlatformError(error, 'RATE_LIMITED') || error.retryAfterSeconds === undefined) return 0;
  times.set(error, times.get(error) ?? Date.now() + error.retryAfterSeconds * 1_000);
  return times.get(error) ?? 0;
};

/** The wait begins with the error, not with each rendering of it. */
const times = new WeakMap<object, number>();
