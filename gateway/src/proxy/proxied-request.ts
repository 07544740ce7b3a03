import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { NextFunction, Request } from 'express';
import type { NetworkShares } from '../edge/network-share.ts';
import type { Upstream } from '../upstreams.ts';
import type { RouteGroup } from './route-groups.ts';
import type { UpstreamInstance, UpstreamPool } from './upstream-pool.ts';

/** A service, its instances, and the client networks' shares of what the gateway holds for it. */
export type ProxyTarget = {
  readonly upstream: Upstream;
  readonly pool: UpstreamPool;
  readonly shares: NetworkShares;
};

/** The state of a client request while the gateway forwards it, in up to three attempts. */
export type ProxiedRequest = ProxyTarget & {
  readonly next: NextFunction;
  /**
   * Covers everything until the upstream response begins (the agent's queue, connecting, sending and waiting), and each pause of
   * the upstream within the response.
   */
  readonly timer: NodeJS.Timeout;
  /** `waiting` until the upstream response begins, then `responding`; `ended` after success, error or disconnect. */
  state: 'waiting' | 'responding' | 'ended';
  /** In milliseconds of performance.now(). */
  readonly startedAt: number;
  /** May be processed twice. On a route with a limit even a GET changes something: it rotates tokens or sends a mail. */
  readonly isSafe: boolean;
  readonly group: RouteGroup;
  /** It is no longer in flight (network-share.ts). */
  readonly release: () => void;
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
/** An unreachable host must not hold requests for as long as a slow response may take. */
const CONNECT_TIMEOUT_MILLISECONDS = 2_000;
const REPEATED_STATUSES: ReadonlySet<number | undefined> = new Set([502, 503, 504]);

export const endProxiedRequest = (proxiedRequest: ProxiedRequest): void => {
  if (proxiedRequest.state === 'ended') return;
  proxiedRequest.state = 'ended';
  clearTimeout(proxiedRequest.timer);
  proxiedRequest.release();
  if (proxiedRequest.instance) proxiedRequest.instance.requestsInFlight -= 1;
};

const limitConnectTime = (socket: Socket): void => {
  const timer = setTimeout(() => socket.destroy(new Error('connect timeout')), CONNECT_TIMEOUT_MILLISECONDS);
  const stop = () => clearTimeout(timer);
  socket.once('connect', stop).once('close', stop);
};

export const startAttempt = (proxiedRequest: ProxiedRequest) => {
  proxiedRequest.attempts += 1;
  proxiedRequest.isConnected = false;
  proxiedRequest.upstreamRequest = undefined;
  const failed = proxiedRequest.instance;
  if (failed) failed.requestsInFlight -= 1;
  const instance = proxiedRequest.pool.select(proxiedRequest.group, failed);
  instance.requestsInFlight += 1;
  proxiedRequest.instance = instance;
  return instance.target;
};

/** The agent has assigned a connection, which may still be connecting. */
export const onSocketAssigned = (upstreamRequest: ClientRequest, { proxiedRequest }: Request): void => {
  if (!proxiedRequest) return;
  proxiedRequest.upstreamRequest = upstreamRequest;
  const { socket } = upstreamRequest;
  if (proxiedRequest.state !== 'waiting' || socket === null) {
    upstreamRequest.destroy();
    return;
  }
  proxiedRequest.isConnected = !socket.connecting;
  if (proxiedRequest.isConnected) return;
  limitConnectTime(socket);
  socket.once('connect', () => {
    proxiedRequest.isConnected = true;
  });
};

const isReset = ({ code }: NodeJS.ErrnoException): boolean => code === 'ECONNRESET' || code === 'EPIPE';

export const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

const isRepeatable = ({ isSafe, attempts, pool, instance, group }: ProxiedRequest): boolean =>
  isSafe && attempts === 1 && pool.hasBetter(instance, group);

/**
 * Retries on another instance when nothing was sent, and GET and HEAD once when the connection was reset, which may also
 * mean that the upstream closed a reused one while it was idle (RFC 9112, 9.3.1). Any other request may have been processed.
 */
export const shouldRetry = (
  proxiedRequest: ProxiedRequest,
  req: Request,
  error: NodeJS.ErrnoException,
): boolean => {
  const { attempts, isConnected, pool, instance, upstreamRequest } = proxiedRequest;
  if (!isConnected) return attempts < MAX_ATTEMPTS && pool.hasOther(instance);
  if (!isReset(error)) return false;
  const wasIdle = upstreamRequest?.reusedSocket === true && attempts < MAX_ATTEMPTS;
  return (isRead(req) && wasIdle) || isRepeatable(proxiedRequest);
};

/** Whether another instance may give a better response than this one. */
export const shouldRepeat = (proxiedRequest: ProxiedRequest, { statusCode }: IncomingMessage): boolean =>
  REPEATED_STATUSES.has(statusCode) && isRepeatable(proxiedRequest);
