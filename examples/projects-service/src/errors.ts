import { isPlatformError } from '@platform/client/service';
import type { ErrorRequestHandler } from 'express';

/** An error that the caller gets as it is. */
export const reject = (status: number, code: string): Error =>
  Object.assign(new Error(code), { status, code });

/** The errors of the platform that concern the request of the caller; all others concern this service. */
const FORWARDED = [400, 404, 409, 412];

export const handleError: ErrorRequestHandler = (error, req, res, _next) => {
  const isOwn = isPlatformError(error) && !FORWARDED.includes(error.status);
  const {
    status = 500,
    code = 'REQUEST_FAILED',
    details,
  } = isOwn ? reject(503, 'SERVICE_UNAVAILABLE') : error;
  if (status >= 500) console.error(req.get('X-Request-Id'), error);
  if (status === 503) res.set('Retry-After', '1');
  res.status(status).json({ code, message: code, details });
};
