import type { Request, RequestHandler } from 'express';
import { bodyTooLarge } from '../errors/app-error.ts';

// Separate from the validation of bodies: the gateway limits bodies too, and then does not load the OpenAPI validator.

export const BODY_LIMIT_BYTES = 102_400;

export const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Rejects a body by its declared length before it is read, because a client that sent `Expect` waits for this response.
 * @throws AppError 413
 */
export const rejectLargeBody: RequestHandler = ({ headers }, _res, next) => {
  if (Number(headers['content-length'] ?? 0) > BODY_LIMIT_BYTES) throw bodyTooLarge();
  next();
};
