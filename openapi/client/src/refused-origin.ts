import { PlatformError } from './platform-error.ts';
import type { Fetch } from './send.ts';

const PROBE_MILLISECONDS = 5_000;

const probe = async (gatewayUrl: string, mode: 'cors' | 'no-cors', fetch: Fetch): Promise<boolean> => {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), PROBE_MILLISECONDS);
  const { signal } = controller;
  const request = new Request(`${gatewayUrl}/healthz`, { mode, credentials: 'omit', signal });
  const hasResponse = await fetch(request).then(
    () => true,
    () => false,
  );
  clearTimeout(timer);
  return hasResponse;
};

/** A gateway that refuses the page's origin responds nevertheless; the page sees the response only without CORS. */
const isRefused = async (gatewayUrl: string, fetch: Fetch): Promise<boolean> =>
  (await probe(gatewayUrl, 'no-cors', fetch)) && !(await probe(gatewayUrl, 'cors', fetch));

/** Browsers do not say why a request failed: after a failed first request, distinguishes a refused origin. */
export const withRefusedOrigin = (gatewayUrl: string, fetch: Fetch): Fetch => {
  const origin = (globalThis as { location?: { origin?: string } }).location?.origin;
  let isAllowed = origin === undefined || !/^https?:/.test(gatewayUrl) || gatewayUrl.startsWith(`${origin}/`);
  return async (request) => {
    try {
      const response = await fetch(request);
      isAllowed = true;
      return response;
    } catch (cause) {
      if (isAllowed || request.signal.aborted || !(await isRefused(gatewayUrl, fetch))) throw cause;
      const message = `The gateway refuses the origin ${origin}: add it to CORS_ORIGINS of the gateway`;
      throw new PlatformError('ORIGIN_REFUSED', message, {}, cause);
    }
  };
};
