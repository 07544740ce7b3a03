import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AppError } from '@platform/shared/errors/app-error';
import { toErrorBody } from '@platform/shared/http/error-responses';
import { chooseRequestId } from '@platform/shared/http/request-logging';
import { MARK, type RawHeaders } from './raw-headers.ts';

/**
 * Sends the error body of the platform, and discards the body of the request.
 * @param headers in addition to those of the body
 */
export const sendError = (
  req: IncomingMessage,
  res: ServerResponse,
  error: AppError,
  headers: RawHeaders = [],
): void => {
  // The client sees that the response is incomplete.
  if (res.headersSent || res.destroyed) return void res.destroy();
  const requestId = chooseRequestId(req.headers);
  const text = JSON.stringify(toErrorBody(error, requestId));
  req.resume();
  res.writeHead(error.status, STATUS_CODES[error.status], [
    ...headers,
    ...Object.entries(error.headers).flat(),
    ...['Content-Type', 'application/json; charset=utf-8'],
    ...['Content-Length', String(Buffer.byteLength(text))],
    ...['X-Request-Id', requestId],
    ...['Cache-Control', 'no-store'],
    ...MARK,
  ]);
  res.end(req.method === 'HEAD' ? undefined : text);
};
