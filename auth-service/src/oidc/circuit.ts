import { isUnavailable, providerUnavailable } from './oidc.ts';

const MAX_FAILURES = 3;
const PAUSE_MILLISECONDS = 10_000;

/**
 * After three failures without a success between them, requests fail at once for ten seconds; then one of them tries again while
 * the others still fail, so that a provider that is away occupies neither requests nor sockets. Responses that are refused count
 * as neither: clients can cause them without the provider.
 * @returns runs `work`, unless the circuit is open; `isProof`: its success shows that the provider is there. @throws AppError 503 OIDC_PROVIDER_UNAVAILABLE
 */
export const createCircuit = (now: () => number = () => performance.now()) => {
  let failures = 0;
  let pausedUntil = 0;
  return async <Result>(work: () => Promise<Result>, isProof = true): Promise<Result> => {
    const pause = pausedUntil - now();
    if (pause > 0) throw providerUnavailable(undefined, Math.ceil(pause / 1_000));
    if (failures >= MAX_FAILURES) pausedUntil = now() + PAUSE_MILLISECONDS;
    let hasFailed = false;
    try {
      const result = await work();
      if (isProof) failures = 0;
      return result;
    } catch (error) {
      hasFailed = isUnavailable(error);
      if (hasFailed) failures += 1;
      throw error;
    } finally {
      pausedUntil = hasFailed && failures >= MAX_FAILURES ? now() + PAUSE_MILLISECONDS : 0;
    }
  };
};

export type Circuit = ReturnType<typeof createCircuit>;
