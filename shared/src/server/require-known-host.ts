import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { AppError } from '../errors/app-error.ts';
import { toErrorBody } from '../http/error-responses.ts';
import type { HostCheck } from '../network/known-hosts.ts';

const hostUnknown = (): AppError =>
  new AppError('HOST_UNKNOWN', 421, 'Unknown host; use localhost, or name it in PUBLIC_URL or CORS_ORIGINS.');

/** Responds with 421 to requests for another host. Programs may send no `Host` at all, but browsers always do. */
export const requireKnownHost =
  (isKnownHost: HostCheck, listener: RequestListener): RequestListener =>
  (req, res) => {
    const { host } = req.headers;
    if (host === undefined || isKnownHost(host)) return listener(req, res);
    const error = hostUnknown();
    const requestId = randomUUID();
    res.writeHead(error.status, {
      'Content-Type': 'application/json; charset=utf-8',
      'X-Request-Id': requestId,
      'Cache-Control': 'no-store',
      Connection: 'close',
    });
    res.end(JSON.stringify(toErrorBody(error, requestId)));
  };
