import type { Socket } from 'node:net';
import { BODY_LIMIT_BYTES } from '@platform/shared/http/json-body';
import type { Request } from 'express';

const LINGER_MILLISECONDS = 2_000;

/**
 * Keeps a body in place until there is a connection to send it on, so that a refused attempt has consumed nothing.
 * Call it when the socket is assigned: the proxy starts the body's flow in that same step.
 */
export const holdUntilConnected = (req: Request, socket: Socket): void => {
  process.nextTick(() => {
    if (socket.connecting) req.pause();
  });
  socket.once('connect', () => req.resume());
};

/** Calls `onExcess` once when a body of undeclared length passes the limit. */
export const countBytes = (req: Request, onExcess: () => void): void => {
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= BODY_LIMIT_BYTES) return;
    req.off('data', count);
    onExcess();
  };
  req.on('data', count);
};

/** Reads on past an answer that came before the body's end, so that the client gets to see it; but not for long. */
export const discardBody = (req: Request): void => {
  req.unpipe();
  req.resume();
  if (req.complete) return;
  setTimeout(() => {
    if (!req.complete) req.socket.destroy();
  }, LINGER_MILLISECONDS).unref();
};
