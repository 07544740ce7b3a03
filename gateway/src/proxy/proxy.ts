import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Stream, Writable } from 'node:stream';
import { AppError } from '@platform/shared/errors/app-error';
import type { Log } from '@platform/shared/log/log';
import type { Request, RequestHandler, Response } from 'express';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import type { GatewayMetrics } from '../gateway-metrics.ts';
import { copyResponseHeaders, toUpstreamHeaders } from './headers.ts';
import { type ProxiedRequest, shouldRetry } from './proxied-request.ts';
import type { UpstreamPool } from './upstream-pool.ts';

type Options = { agent: Agent; timeoutMilliseconds: number; log: Log; metrics: GatewayMetrics };

/** An unreachable host must not hold requests for as long as a slow response may take. */
const CONNECT_TIMEOUT_MILLISECONDS = 2_000;

/** `url` names the instance in the log only; clients never see it. */
const upstreamUnavailable = (url: string | undefined, cause: unknown): AppError =>
  new AppError('UPSTREAM_UNAVAILABLE', 502, 'Service unavailable; retry later.', {
    headers: { 'Retry-After': '1' },
    cause: new Error(`${url} failed`, { cause }),
  });

const upstreamTimeout = (url: string | undefined): AppError =>
  new AppError('UPSTREAM_TIMEOUT', 504, 'The service did not respond in time.', {
    cause: new Error(`${url} did not respond in time`),
  });

const endProxiedRequest = (proxiedRequest: ProxiedRequest): void => {
  proxiedRequest.state = 'ended';
  clearTimeout(proxiedRequest.timer);
};

const limitConnectTime = (socket: Socket): void => {
  const timer = setTimeout(() => socket.destroy(new Error('connect timeout')), CONNECT_TIMEOUT_MILLISECONDS);
  const stop = () => clearTimeout(timer);
  socket.once('connect', stop).once('close', stop);
};

const startAttempt = (proxiedRequest: ProxiedRequest) => {
  proxiedRequest.attempts += 1;
  proxiedRequest.isConnected = false;
  proxiedRequest.upstreamRequest = undefined;
  proxiedRequest.instance = proxiedRequest.pool.select(proxiedRequest.instance);
  return proxiedRequest.instance.target;
};

/** The agent has assigned a connection, which may still be connecting. */
const onSocketAssigned = (upstreamRequest: ClientRequest, { proxiedRequest }: Request): void => {
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
 * http-proxy-middleware only calls `pipe` on the body source, so this object ends the upstream request with the complete
 * body. A real stream, even `req` itself, would cost a tenth of a request's CPU time (npm run bench -- me).
 */
const toBodySource = (body: Buffer | undefined): Stream =>
  ({ pipe: (upstreamRequest: Writable) => upstreamRequest.end(body) }) as unknown as Stream;

/** Does what `pipe` would do, with fewer listeners per response; httpxy closes either side when the other one fails. */
const streamBody = (
  upstreamResponse: IncomingMessage,
  proxiedRequest: ProxiedRequest,
  res: Response,
): void => {
  upstreamResponse.on('data', (chunk: Buffer) => {
    proxiedRequest.timer.refresh();
    if (res.write(chunk)) return;
    upstreamResponse.pause();
    res.once('drain', () => upstreamResponse.resume());
  });
  upstreamResponse.on('end', () => {
    endProxiedRequest(proxiedRequest);
    res.end();
  });
};

/** A service closes its connections when it is shutting down; requests should go to its other instances. */
const isShuttingDown = ({ headers }: IncomingMessage): boolean => headers.connection === 'close';

const createEject =
  (log: Log, metrics: GatewayMetrics) =>
  ({ pool, instance }: ProxiedRequest, reason: unknown): void => {
    if (!instance || !pool.eject(instance)) return;
    metrics.countEjection({ upstream: pool.name });
    log.warn({ upstream: pool.name, url: instance.url, reason }, 'upstream instance ejected for 1 s');
  };

/**
 * Forwards requests with their buffered body to an instance of the service and streams the response. Errors before the
 * response begins go to `next` as an AppError; later ones close the client's connection.
 */
export const createProxy = ({ agent, timeoutMilliseconds, log, metrics }: Options) => {
  const eject = createEject(log, metrics);

  const fail = (proxiedRequest: ProxiedRequest, reason: 'timeout' | 'unavailable', error: AppError): void => {
    metrics.countUpstreamError({ upstream: proxiedRequest.pool.name, reason });
    endProxiedRequest(proxiedRequest);
    proxiedRequest.next(error);
    proxiedRequest.upstreamRequest?.destroy();
  };

  const onTimeout = ({ proxiedRequest }: Request): void => {
    if (proxiedRequest?.state === 'responding') proxiedRequest.upstreamRequest?.destroy();
    else if (proxiedRequest) fail(proxiedRequest, 'timeout', upstreamTimeout(proxiedRequest.instance?.url));
  };

  const onResponse = (upstreamResponse: IncomingMessage, req: Request, res: Response): void => {
    const { proxiedRequest } = req;
    if (proxiedRequest?.state !== 'waiting') return;
    proxiedRequest.state = 'responding';
    proxiedRequest.timer.refresh();
    if (isShuttingDown(upstreamResponse)) eject(proxiedRequest, 'shutting down');
    res.statusCode = upstreamResponse.statusCode ?? 502;
    copyResponseHeaders(upstreamResponse, res);
    streamBody(upstreamResponse, proxiedRequest, res);
  };

  const onError = (error: NodeJS.ErrnoException, req: Request, res: Response): void => {
    const { proxiedRequest } = req;
    if (proxiedRequest === undefined) return;
    const { pool, instance, next } = proxiedRequest;
    if (proxiedRequest.state === 'responding') {
      metrics.countUpstreamError({ upstream: pool.name, reason: 'broken_off' });
      log.warn(
        { err: error, requestId: req.requestId, traceId: req.trace?.traceId },
        'upstream response aborted',
      );
    }
    if (proxiedRequest.state !== 'waiting') return;
    if (!proxiedRequest.isConnected) eject(proxiedRequest, error.code ?? error.message);
    if (shouldRetry(proxiedRequest, req, error)) {
      // http-proxy-middleware adds listeners to `res` for each attempt and removes none.
      res.setMaxListeners(20);
      void attempt(req, res, next);
    } else fail(proxiedRequest, 'unavailable', upstreamUnavailable(instance?.url, error));
  };

  const registerListeners: Plugin<Request, Response> = (proxy) => {
    proxy.on('proxyReq', onSocketAssigned);
    proxy.on('proxyRes', onResponse);
    proxy.on('error', (error, req, res) => {
      if (req) onError(error, req, res as Response);
    });
  };

  const attempt = createProxyMiddleware<Request, Response>({
    router: ({ proxiedRequest, bodyBuffer }, _res, options) => {
      options.buffer = toBodySource(bodyBuffer);
      return proxiedRequest ? startAttempt(proxiedRequest) : '';
    },
    agent,
    selfHandleResponse: true,
    // The default plugins log every request and send errors as text.
    ejectPlugins: true,
    plugins: [registerListeners],
  });

  return (pool: UpstreamPool): RequestHandler =>
    (req, res, next) => {
      const proxiedRequest: ProxiedRequest = {
        pool,
        next,
        timer: setTimeout(onTimeout, timeoutMilliseconds, req),
        state: 'waiting',
        attempts: 0,
        instance: undefined,
        upstreamRequest: undefined,
        isConnected: false,
      };
      req.proxiedRequest = proxiedRequest;
      req.headers = toUpstreamHeaders(req);
      res.once('close', () => endProxiedRequest(proxiedRequest));
      return attempt(req, res, next);
    };
};
