import { abortable } from './abortable.ts';
import { PlatformError } from './platform-error.ts';
import type { Fetch } from './send.ts';

const PROBE_MILLISECONDS = 5_000;

const probe = (gatewayUrl: string, mode: 'cors' | 'no-cors', fetch: Fetch): Promise<boolean> =>
  abortable({ milliseconds: PROBE_MILLISECONDS }, (signal) =>
    fetch(new Request(`${gatewayUrl}/healthz`, { mode, credentials: 'omit' }), { signal }),
  ).then(
    () => true,
    () => false,
  );

/**
 * A gateway that rejects the page's origin still responds, but the page can see the response only without
 * CORS.
 */
const isRefused = async (gatewayUrl: string, fetch: Fetch): Promise<boolean> =>
  (await probe(gatewayUrl, 'no-cors', fetch)) && !(await probe(gatewayUrl, 'cors', fetch));

/**
 * Browsers do not say why a request failed. After a failed first request, this checks whether the origin was
 * rejected.
 */
export const withRefusedOrigin = (gatewayUrl: string, fetch: Fetch): Fetch => {
  const origin = (globalThis as { location?: { origin?: string } }).location?.origin;
  let isAllowed = !origin || !gatewayUrl || gatewayUrl === origin;
  return async (request, init) => {
    try {
      const response = await fetch(request, init);
      isAllowed = true;
      return response;
    } catch (cause) {
      if (isAllowed || init.signal?.aborted || !(await isRefused(gatewayUrl, fetch))) throw cause;
      const message = `The gateway rejects the origin ${origin}; add it to CORS_ORIGINS`;
      throw new PlatformError('ORIGIN_REFUSED', message, {}, cause);
    }
  };
};
