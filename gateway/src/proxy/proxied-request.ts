import type { ClientRequest } from 'node:http';
import type { NextFunction, Request } from 'express';
import type { UpstreamInstance, UpstreamPool } from './upstream-pool.ts';

/** The state of a client request while the gateway forwards it, in up to three attempts. */
export type ProxiedRequest = {
  readonly pool: UpstreamPool;
  readonly next: NextFunction;
  /**
   * Covers everything until the upstream response begins (the agent's queue, connecting, sending and waiting), and each pause
   * within the response.
   */
  readonly timer: NodeJS.Timeout;
  /** `waiting` until the upstream response begins, then `responding`; `ended` after success, error or disconnect. */
  state: 'waiting' | 'responding' | 'ended';
  attempts: number;
  /** Of the current attempt, like the two fields below. */
  instance: UpstreamInstance | undefined;
  /** Undefined until the agent assigns a connection. */
  upstreamRequest: ClientRequest | undefined;
  /** While false, no byte has been sent to the upstream. */
  isConnected: boolean;
};

declare module 'node:http' {
  interface IncomingMessage {
    proxiedRequest?: ProxiedRequest;
  }
}

const MAX_ATTEMPTS = 3;

const isReset = ({ code }: NodeJS.ErrnoException): boolean => code === 'ECONNRESET' || code === 'EPIPE';

/**
 * Retries on another instance when nothing was sent, and GET and HEAD when a reused connection was reset, because the
 * upstream may have closed it while it was idle (RFC 9112, 9.3.1). Any other request may have been processed already.
 */
export const shouldRetry = (
  { attempts, isConnected, pool, upstreamRequest }: ProxiedRequest,
  { method }: Request,
  error: NodeJS.ErrnoException,
): boolean => {
  if (attempts >= MAX_ATTEMPTS) return false;
  if (!isConnected) return pool.urls.length > 1;
  const isSafe = method === 'GET' || method === 'HEAD';
  return isSafe && upstreamRequest?.reusedSocket === true && isReset(error);
};
