import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type { Stream, Writable } from 'node:stream';
import { AppError } from '@platform/shared/errors/app-error';
import type { Log } from '@platform/shared/log/log';
import { getClientNetworks } from '@platform/shared/network/client-address';
import type { Request, RequestHandler, Response } from 'express';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import { copyResponseHeaders, noteErrorCode, toUpstreamHeaders } from './headers.ts';
import { isFailedResponse } from './outlier-detection.ts';
import {
  endProxiedRequest,
  isRead,
  noticeShutdown,
  onSocketAssigned,
  type ProxiedRequest,
  type ProxyTarget,
  shouldRetryAfterError,
  shouldRetryAfterResponse,
  startAttempt,
} from './proxied-request.ts';
import type { UpstreamMetrics } from './upstream-metrics.ts';

type Options = {
  agent: Agent;
  timeoutMilliseconds: number;
  log: Log;
  metrics: UpstreamMetrics;
};

/** The timeout is longer for routes that hash a password. */
const SLOW_ROUTE_FACTOR = 2;

/** `url` names the instance only in the log. Clients never see it. */
const upstreamUnavailable = (url: string | undefined, cause: unknown): AppError =>
  new AppError('UPSTREAM_UNAVAILABLE', 502, 'Service unavailable; retry later.', {
    headers: { 'Retry-After': '1' },
    cause: new Error(`${url} failed`, { cause }),
  });

const upstreamTimeout = (url: string | undefined): AppError =>
  new AppError('UPSTREAM_TIMEOUT', 504, 'The service did not respond in time.', {
    cause: new Error(`${url} did not respond in time`),
  });

/**
 * http-proxy-middleware only calls `pipe` on the body source, so this object ends the upstream request with
 * the complete body. A real stream, even `req` itself, would cost a tenth of the CPU time of a request (npm
 * run bench -- me).
 */
const toBodySource = (body: Buffer | undefined): Stream =>
  ({ pipe: (upstreamRequest: Writable) => upstreamRequest.end(body) }) as unknown as Stream;

const LARGE_CHUNK_BYTES = 16_384;

/**
 * Reads the response at the speed of the service, so that a slow client never holds a connection to a
 * service. Large responses are read in turn, one chunk each, so that hundreds of them do not delay others.
 * httpxy closes either side when the other one fails.
 */
const streamBody = (
  upstreamResponse: IncomingMessage,
  proxiedRequest: ProxiedRequest,
  res: Response,
): void => {
  const networks = getClientNetworks(res.req);
  upstreamResponse.on('data', (chunk: Buffer) => {
    proxiedRequest.timer.refresh();
    if (!res.write(chunk)) proxiedRequest.shares.holdUnread(res, networks);
    if (chunk.length < LARGE_CHUNK_BYTES) return;
    upstreamResponse.pause();
    setImmediate(() => upstreamResponse.resume());
  });
  upstreamResponse.on('end', () => {
    endProxiedRequest(proxiedRequest);
    res.end();
  });
};

/**
 * Forwards requests with their buffered body to an instance of the service, and streams the response. Errors
 * before the response begins go to `next` as an AppError. Later errors close the connection of the client.
 */
export const createProxy = (options: Options) => {
  const { agent, timeoutMilliseconds, log, metrics } = options;

  /** @param failure the error or status; undefined for a healthy response */
  const recordResult = ({ pool, instance, sentAt }: ProxiedRequest, failure?: string | number): void => {
    if (instance === undefined) return;
    const milliseconds = pool.record(instance, { isFailure: failure !== undefined, sentAt });
    if (milliseconds === 0) return;
    metrics.countEjection({ upstream: pool.name });
    const fields = { upstream: pool.name, url: instance.url, reason: failure, seconds: milliseconds / 1_000 };
    log.warn(fields, 'upstream instance ejected');
  };

  const fail = (proxiedRequest: ProxiedRequest, reason: 'timeout' | 'unavailable', error: AppError): void => {
    metrics.countUpstreamError({ upstream: proxiedRequest.pool.name, reason });
    endProxiedRequest(proxiedRequest);
    proxiedRequest.next(error);
    proxiedRequest.upstreamRequest?.destroy();
  };

  const onTimeout = ({ state: { proxiedRequest } }: Request): void => {
    if (!proxiedRequest) return;
    if (proxiedRequest.state === 'responding') return void proxiedRequest.upstreamRequest?.destroy();
    recordResult(proxiedRequest, 'timeout');
    fail(proxiedRequest, 'timeout', upstreamTimeout(proxiedRequest.instance?.url));
  };

  /** If a client disconnects after half of the timeout, the slow service probably caused it. */
  const onClose = (proxiedRequest: ProxiedRequest): void => {
    const { pool, state, startedAt } = proxiedRequest;
    if (state === 'waiting' && performance.now() - startedAt >= timeoutMilliseconds / 2) {
      metrics.countUpstreamError({ upstream: pool.name, reason: 'abandoned' });
      recordResult(proxiedRequest, 'abandoned by the client');
    }
    endProxiedRequest(proxiedRequest);
  };

  const onResponse = (upstreamResponse: IncomingMessage, req: Request, res: Response): void => {
    const { proxiedRequest } = req.state;
    if (proxiedRequest?.state !== 'waiting') return;
    const { statusCode = 502 } = upstreamResponse;
    // Node parses the status `000` from a service, but throws when it has to send it.
    if (statusCode < 200) return void onError(new Error(`status ${statusCode}`), req, res);
    recordResult(proxiedRequest, isFailedResponse(upstreamResponse) ? statusCode : undefined);
    noticeShutdown(proxiedRequest, upstreamResponse);
    if (shouldRetryAfterResponse(proxiedRequest, upstreamResponse)) {
      // The retry waits for the end of the response, because httpxy closes the connection of the client when
      // a response is interrupted.
      upstreamResponse.once('end', () => retry(req, res)).resume();
      return;
    }
    proxiedRequest.state = 'responding';
    proxiedRequest.timer.refresh();
    res.statusCode = statusCode;
    copyResponseHeaders(upstreamResponse, res, proxiedRequest.upstream);
    noteErrorCode(upstreamResponse, req, proxiedRequest.upstream);
    streamBody(upstreamResponse, proxiedRequest, res);
  };

  const onError = (error: NodeJS.ErrnoException, req: Request, res: Response): void => {
    const { proxiedRequest } = req.state;
    if (proxiedRequest === undefined) return;
    const { pool, instance } = proxiedRequest;
    if (proxiedRequest.state === 'responding') {
      metrics.countUpstreamError({ upstream: pool.name, reason: 'broken_off' });
      const { requestId, trace } = req.state;
      log.warn({ err: error, requestId, traceId: trace?.traceId }, 'upstream response aborted');
    }
    if (proxiedRequest.state !== 'waiting') return;
    recordResult(proxiedRequest, error.code ?? error.message);
    if (shouldRetryAfterError(proxiedRequest, error)) retry(req, res);
    else fail(proxiedRequest, 'unavailable', upstreamUnavailable(instance?.url, error));
  };

  /**
   * 100 and 103 precede a response. No response follows any other status below 200, nor an upgrade, which
   * Node reports only to a listener.
   */
  const rejectInformational = (upstreamRequest: ClientRequest, req: Request, res: Response): void => {
    const reject = (status?: number) => onError(new Error(`status ${status}`), req, res);
    upstreamRequest.on('information', ({ statusCode }) => {
      if (statusCode !== 100 && statusCode !== 103) reject(statusCode);
    });
    upstreamRequest.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy();
      reject(statusCode);
    });
  };

  const retry = (req: Request, res: Response): void => {
    const { proxiedRequest } = req.state;
    if (proxiedRequest?.state !== 'waiting') return;
    // http-proxy-middleware adds listeners to `res` for each attempt and removes none.
    res.setMaxListeners(20);
    void attempt(req, res, proxiedRequest.next);
  };

  const registerListeners: Plugin<Request, Response> = (proxy) => {
    proxy.on('proxyReq', (upstreamRequest, req, res) => {
      rejectInformational(upstreamRequest, req, res);
      onSocketAssigned(upstreamRequest, req);
    });
    proxy.on('proxyRes', onResponse);
    proxy.on('error', (error, req, res) => {
      if (req) onError(error, req, res as Response);
    });
  };

  const attempt = createProxyMiddleware<Request, Response>({
    // The only function that gets the options of one request: http-proxy-middleware copies them before it calls
    // `router` (prepareProxyRequest), so a body never becomes that of another request.
    router: ({ state }, _res, options) => {
      const { proxiedRequest, bodyBuffer } = state;
      options.buffer = toBodySource(bodyBuffer);
      if (proxiedRequest === undefined) return '';
      const target = startAttempt(proxiedRequest);
      state.forwarded = { instance: proxiedRequest.instance?.url ?? '' };
      return target;
    },
    agent,
    selfHandleResponse: true,
    // The default plugins log every request, and send errors as text.
    ejectPlugins: true,
    plugins: [registerListeners],
  });

  return (target: ProxyTarget): RequestHandler =>
    (req, res, next) => {
      const { rateLimits: limits = [] } = req.state;
      const isSignIn = limits.includes('sign-in');
      const release = target.shares.holdRequest({
        networks: getClientNetworks(req),
        isSignIn,
        instances: target.pool.countBest(),
      });
      const factor = isSignIn ? SLOW_ROUTE_FACTOR : 1;
      const proxiedRequest: ProxiedRequest = {
        ...target,
        next,
        release,
        timer: setTimeout(onTimeout, timeoutMilliseconds * factor, req),
        state: 'waiting',
        startedAt: performance.now(),
        isSafe: isRead(req) && limits.length === 0,
        attempts: 0,
        instance: undefined,
        sentAt: 0,
        upstreamRequest: undefined,
        isConnected: false,
      };
      req.state.proxiedRequest = proxiedRequest;
      req.headers = toUpstreamHeaders(req, target.upstream);
      res.once('close', () => onClose(proxiedRequest));
      return attempt(req, res, next);
    };
};
