import { isUnavailable, providerUnavailable } from './oidc.ts';

const MAX_FAILURES = 3;
const PAUSE_MILLISECONDS = 10_000;

/**
 * After three failures without a success between them, requests fail at once for ten seconds; then one of them tries again while
 * the others still fail, so that a provider that is away occupies neither requests nor sockets. Responses that are refused count
 * as neither: clients can cause them without the provider. Nor does the success of work that needs no request to the provider,
 * `isTrial: false`, close the circuit.
 * @returns runs `work`, unless the circuit is open. @throws AppError 503 OIDC_PROVIDER_UNAVAILABLE
 */
export const createCircuit = (now: () => number = () => performance.now()) => {
  let failures = 0;
  let pausedUntil = 0;
  const pauseIfOpen = (): void => {
    if (failures >= MAX_FAILURES) pausedUntil = now() + PAUSE_MILLISECONDS;
  };
  const close = (): void => {
    failures = 0;
    pausedUntil = 0;
  };
  return async <Result>(work: () => Promise<Result>, { isTrial = true } = {}): Promise<Result> => {
    const pause = pausedUntil - now();
    if (pause > 0) throw providerUnavailable(undefined, Math.ceil(pause / 1_000));
    if (isTrial) pauseIfOpen();
    try {
      const result = await work();
      if (isTrial) close();
      return result;
    } catch (error) {
      if (isUnavailable(error)) {
        failures += 1;
        pauseIfOpen();
      } else if (isTrial) pausedUntil = 0;
      throw error;
    }
  };
};

export type Circuit = ReturnType<typeof createCircuit>;
