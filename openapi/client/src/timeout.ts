import { unreachable } from './platform-error.ts';

/** Rejects with GATEWAY_UNREACHABLE after the timeout. React Native has no `AbortSignal.timeout`. */
export const withTimeout = async <Result>(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const controller = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    controller.abort();
  }, milliseconds);
  try {
    return await work(controller.signal);
  } catch (error) {
    throw isLate ? unreachable(error) : error;
  } finally {
    clearTimeout(timer);
  }
};
