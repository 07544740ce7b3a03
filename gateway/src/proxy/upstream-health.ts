import { get } from 'node:http';

const LIMIT_MILLISECONDS = 450;

const checkInstance = (base: string, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = get(
      new URL(path, base),
      {
        // A connection of its own: one that is kept proves nothing about the next request's.
        agent: false,
        headers: { 'X-Request-Id': 'gateway-readiness' },
        signal: AbortSignal.timeout(LIMIT_MILLISECONDS),
      },
      (answer) => {
        answer.resume();
        if ((answer.statusCode ?? 500) < 500) resolve();
        else reject(new Error(`${base} answers ${answer.statusCode}`));
      },
    );
    request.on('error', reject);
  });

/**
 * Resolves when one instance at least answers `path` over HTTP: a frozen process still accepts connections, so
 * connecting would prove too little. Any status below 500 will do.
 */
export const checkReachable = (bases: string[], path: string): Promise<void> =>
  Promise.any(bases.map((base) => checkInstance(base, path)));
