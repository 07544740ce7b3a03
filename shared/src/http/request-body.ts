import type { Request } from 'express';
import { BODY_LIMIT_BYTES, bodyTooLarge } from '../errors/app-error.ts';

export const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Whether the connection has ended, so that no more of the body arrives and no response can be sent. */
export const isDisconnected = ({ socket }: Request): boolean => !socket.readable;

/**
 * Rejects a body by its declared length before it is read, because a client that sent `Expect` waits for this
 * response.
 * @throws AppError 413
 */
export const rejectLargeBody = ({ headers }: Request): void => {
  if (Number(headers['content-length'] ?? 0) > BODY_LIMIT_BYTES) throw bodyTooLarge();
};
