import { randomId } from './device.ts';
import { isPlatformError, PlatformError } from './platform-error.ts';
import type { RequestFunction } from './request-function.ts';

/**
 * Names each call that may change something, so that a call without a response can be found in the platform's
 * logs and audit records. Retries of the client have the same id.
 */
export const withRequestId =
  (request: RequestFunction): RequestFunction =>
  async (method, path, options = {}) => {
    if (method === 'get') return await request(method, path, options);
    const requestId = randomId();
    try {
      return await request(method, path, { ...options, requestId });
    } catch (error) {
      if (!isPlatformError(error, 'GATEWAY_UNREACHABLE')) throw error;
      throw new PlatformError(error.code, error.message, { requestId }, error.cause);
    }
  };
