import cors from 'cors';
import type { Request, RequestHandler } from 'express';
import type { AllowedOrigins } from '../config.ts';

const LOOPBACK = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

const OPTIONS = {
  credentials: true,
  methods: ['GET', 'POST', 'PATCH', 'DELETE'],
  allowedHeaders: [
    'Authorization',
    'Content-Type',
    'X-Fingerprint',
    'X-Session-Id',
    'X-Request-Id',
    'Traceparent',
    'Tracestate',
  ],
  exposedHeaders: ['X-Request-Id', 'Retry-After', 'RateLimit', 'RateLimit-Policy'],
  maxAge: 600,
  preflightContinue: true,
};

const isPreflight = ({ method, headers }: Request): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined;

/** On every response, also one without CORS headers: a cache must not serve it to another origin. */
const varyByOrigin: RequestHandler = (_req, res, next) => {
  res.setHeader('Vary', 'Origin');
  next();
};

/** Also for disallowed origins: the missing CORS headers make the browser block the request. */
const endPreflight: RequestHandler = (req, res, next) => {
  if (isPreflight(req)) res.status(204).end();
  else next();
};

/** CORS with credentials for the allowed origins; other origins, `null` included, get no CORS headers. */
export const createCors = (allowedOrigins: AllowedOrigins): RequestHandler[] => {
  const isAllowed = (origin: string): boolean =>
    allowedOrigins === 'loopback' ? LOOPBACK.test(origin) : allowedOrigins.includes(origin);
  const setCorsHeaders = cors({
    ...OPTIONS,
    origin: (origin, callback) => callback(null, origin !== undefined && isAllowed(origin)),
  });
  return [varyByOrigin, setCorsHeaders, endPreflight];
};
