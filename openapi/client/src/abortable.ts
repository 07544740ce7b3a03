import { unreachable } from './platform-error.ts';

/** The default timeout of each call. */
export const TIMEOUT_SECONDS = 10;

type Limits = { signal?: AbortSignal | undefined; milliseconds?: number };

/**
 * Rejects with the reason of the aborted `signal`, or with GATEWAY_UNREACHABLE after the timeout, even if
 * `work` ignores its signal. React Native has neither `AbortSignal.any` nor `AbortSignal.timeout`.
 */
export const abortable = <Result>(
  { signal, milliseconds }: Limits,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> =>
  new Promise((resolve, reject) => {
    const controller = new AbortController();
    const stop = (reason: unknown) => {
      settle();
      reject(reason);
      controller.abort(reason);
    };
    const onAbort = () => {
      const reason: unknown = signal?.reason;
      // Do not test for DOMException: React Native lacks it.
      stop((reason as Error | undefined)?.name === 'TimeoutError' ? unreachable(reason) : reason);
    };
    const onTimeout = () => stop(unreachable(new Error(`No response within ${milliseconds} ms`)));
    const timer = milliseconds === undefined ? undefined : setTimeout(onTimeout, milliseconds);
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort);
    work(controller.signal).then(resolve, reject).finally(settle);
  });
