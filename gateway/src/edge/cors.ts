import cors, { type CorsOptions } from 'cors';
import type { Request, RequestHandler } from 'express';
import type { AllowedOrigins } from '../config.ts';
import { API_METHODS } from './request-guards.ts';

const LOOPBACK = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

const ALLOWED: CorsOptions = {
  origin: true,
  credentials: true,
  methods: API_METHODS,
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
const REFUSED: CorsOptions = { origin: false };

const isPreflight = ({ method, headers }: Request): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined;

/** Caches must keep the answers to two origins apart, the answer without any CORS header too. */
const varyByOrigin: RequestHandler = (_req, res, next) => {
  res.setHeader('Vary', 'Origin');
  next();
};

/** A foreign origin's too, which learns from it only that no header allows it. */
const answerPreflight: RequestHandler = (req, res, next) => {
  if (isPreflight(req)) res.status(204).end();
  else next();
};

/** CORS with credentials for the allowed origins; any other one, `null` too, gets no CORS header. */
export const crossOrigin = (allowed: AllowedOrigins): RequestHandler[] => {
  const origins = new Set(allowed === 'loopback' ? [] : allowed);
  const isAllowed = (origin: string) =>
    allowed === 'loopback' ? LOOPBACK.test(origin) : origins.has(origin);
  const allow = cors<Request>(({ headers: { origin } }, decide) =>
    decide(null, origin !== undefined && isAllowed(origin) ? ALLOWED : REFUSED),
  );
  // A call that comes from no page, or from one of the same origin, has nothing to be told.
  const allowPages: RequestHandler = (req, res, next) =>
    req.headers.origin === undefined ? next() : allow(req, res, next);
  return [varyByOrigin, allowPages, answerPreflight];
};
