import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { NextFunction, Request } from 'express';
import type { NetworkShares } from '../limits/network-share.ts';
import type { Upstream } from '../upstreams.ts';
import type { UpstreamInstance, UpstreamPool } from './upstream-pool.ts';

/** A service, its instances, and the shares of client networks in what the gateway holds for it. */
export type ProxyTarget = {
  readonly upstream: Upstream;
  readonly pool: UpstreamPool;
  readonly shares: NetworkShares;
};

/** The state of a client request while the gateway forwards it, in one or two attempts. */
export type ProxiedRequest = ProxyTarget & {
  readonly next: NextFunction;
  /**
   * Covers the time until the upstream response begins (the queue of the agent, connecting, sending and
   * waiting), and each pause of the upstream within the response.
   */
  readonly timer: NodeJS.Timeout;
  /**
   * The state is `waiting` until the upstream response begins, and then `responding`. It is `ended` after
   * success, error or disconnect.
   */
  state: 'waiting' | 'responding' | 'ended';
  /** The start in milliseconds of performance.now(). */
  readonly startedAt: number;
  /**
   * Whether the request may be processed twice. On a route with a limit, even a GET changes something: it
   * rotates tokens or sends a mail.
   */
  readonly isSafe: boolean;
  /** Called when the request is no longer in flight (network-share.ts). */
  readonly release: () => void;
  attempts: number;
  /** The instance of the current attempt. The three fields below also describe that attempt. */
  instance: UpstreamInstance | undefined;
  /** When the instance was selected, in milliseconds of performance.now(). */
  sentAt: number;
  /** Undefined until the agent assigns a connection. */
  upstreamRequest: ClientRequest | undefined;
  /** While false, no byte has been sent to the upstream. */
  isConnected: boolean;
};

/** An unreachable host must not hold requests for as long as a slow response may take. */
const CONNECT_TIMEOUT_MILLISECONDS = 2_000;
/** 503 is not retried, because the other instances are probably busy, too. */
const RETRIED_STATUSES: ReadonlySet<number | undefined> = new Set([502, 504]);

const releaseInstance = ({ pool, instance, sentAt }: ProxiedRequest): void => {
  if (instance) pool.release(instance, sentAt);
};

export const endProxiedRequest = (proxiedRequest: ProxiedRequest): void => {
  if (proxiedRequest.state === 'ended') return;
  proxiedRequest.state = 'ended';
  clearTimeout(proxiedRequest.timer);
  proxiedRequest.release();
  releaseInstance(proxiedRequest);
};

const limitConnectTime = (socket: Socket): void => {
  const timer = setTimeout(() => socket.destroy(new Error('connect timeout')), CONNECT_TIMEOUT_MILLISECONDS);
  const stop = () => clearTimeout(timer);
  socket.once('connect', stop).once('close', stop);
};

export const startAttempt = (proxiedRequest: ProxiedRequest) => {
  releaseInstance(proxiedRequest);
  const instance = proxiedRequest.pool.select(proxiedRequest.instance);
  proxiedRequest.attempts += 1;
  proxiedRequest.instance = instance;
  proxiedRequest.sentAt = performance.now();
  proxiedRequest.isConnected = false;
  proxiedRequest.upstreamRequest = undefined;
  return instance.target;
};

/** Called when the agent has assigned a connection, which may still be connecting. */
export const onSocketAssigned = (
  upstreamRequest: ClientRequest,
  { state: { proxiedRequest } }: Request,
): void => {
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

/**
 * Services of the platform send `Connection: close` only while they stop. The instance counts as not ready
 * until `/readyz` is read again.
 */
export const noticeShutdown = (
  { instance, upstream }: ProxiedRequest,
  { headers: { connection } }: IncomingMessage,
): void => {
  if (instance && upstream.isPlatform && connection === 'close') instance.health.isReady = false;
};

const isReset = ({ code }: NodeJS.ErrnoException): boolean => code === 'ECONNRESET' || code === 'EPIPE';

export const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

const canRetry = ({ attempts, pool, instance, isSafe, isConnected }: ProxiedRequest): boolean =>
  attempts === 1 && pool.hasOther(instance) && (isSafe || !isConnected);

/** Only a broken connection is retried, because any other error may be caused by the request itself. */
export const shouldRetryAfterError = (
  proxiedRequest: ProxiedRequest,
  error: NodeJS.ErrnoException,
): boolean => canRetry(proxiedRequest) && (!proxiedRequest.isConnected || isReset(error));

export const shouldRetryAfterResponse = (
  proxiedRequest: ProxiedRequest,
  { statusCode }: IncomingMessage,
): boolean => canRetry(proxiedRequest) && RETRIED_STATUSES.has(statusCode);
