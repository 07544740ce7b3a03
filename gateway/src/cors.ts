import cors from 'cors';
import type { Request, RequestHandler } from 'express';
import { type AllowedOrigins, isAllowedOrigin } from './origins.ts';
import { SERVICE_METHODS, stripQuery, type UpstreamFinder } from './upstreams.ts';

const OPTIONS = {
  credentials: true,
  methods: ['GET', 'POST', 'PATCH', 'DELETE'],
  allowedHeaders: [
    'Authorization',
    'Content-Type',
    'X-Fingerprint',
    'X-Session-Id',
    'X-Request-Id',
    'If-Match',
    'X-Bot-Check',
    'X-Time-Zone',
    'Traceparent',
    'Tracestate',
  ],
  exposedHeaders: ['X-Request-Id', 'Retry-After', 'RateLimit', 'RateLimit-Policy', 'ETag'],
  maxAge: 600,
  preflightContinue: true,
};

/** The options for the paths of other services. */
const SERVICE_OPTIONS = {
  ...OPTIONS,
  methods: SERVICE_METHODS,
  allowedHeaders: [...OPTIONS.allowedHeaders, 'Idempotency-Key'],
};

export const isPreflight = ({ method, headers }: Request): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined;

/** CORS with credentials for the allowed origins. Other origins, including `null`, get no CORS headers. */
export const createCors = (allowedOrigins: AllowedOrigins, findUpstream: UpstreamFinder): RequestHandler => {
  const createHandler = (options: typeof OPTIONS) =>
    cors({
      ...options,
      origin: (origin, callback) =>
        callback(null, origin !== undefined && isAllowedOrigin(allowedOrigins, origin)),
    });
  const setPlatformHeaders = createHandler(OPTIONS);
  const setServiceHeaders = createHandler(SERVICE_OPTIONS);
  return (req, res, next) => {
    // Also without CORS headers, because a cache must not serve the response to another origin.
    res.setHeader('Vary', 'Origin');
    if (req.headers.origin === undefined) return next();
    if (!isPreflight(req)) return setPlatformHeaders(req, res, next);
    const isOfService = findUpstream(stripQuery(req.url))?.isPlatform === false;
    const setHeaders = isOfService ? setServiceHeaders : setPlatformHeaders;
    // Also for disallowed origins: the missing CORS headers make the browser block the request.
    setHeaders(req, res, () => res.status(204).end());
  };
};
