import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Stream, Writable } from 'node:stream';
import type { Log } from '@platform/shared/log/log';
import type { Request, RequestHandler, Response } from 'express';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import type { GatewayMetrics } from '../gateway-metrics.ts';
import { forwardAnswer, toUpstreamHeaders } from './headers.ts';
import {
  type Exchange,
  endExchange,
  failExchange,
  mayRepeat,
  startAnswer,
  startAttempt,
  startExchange,
} from './proxied-request.ts';
import { upstreamUnavailable } from './upstream-errors.ts';
import type { Instances } from './upstream-pool.ts';

type Options = { agent: Agent; timeoutMilliseconds: number; log: Log; metrics: GatewayMetrics };

/** A host that does not even refuse must not hold requests for as long as one that computes. */
const CONNECT_MILLISECONDS = 2_000;

const limitConnecting = (socket: Socket): void => {
  const timer = setTimeout(() => socket.destroy(new Error('connecting took too long')), CONNECT_MILLISECONDS);
  const stop = () => clearTimeout(timer);
  socket.once('connect', stop).once('close', stop);
};

/** The agent has given the attempt a connection, be it a new one that is still being made. */
const onAssigned = (outgoing: ClientRequest, { exchange }: Request): void => {
  if (!exchange) return;
  exchange.outgoing = outgoing;
  const { socket } = outgoing;
  if (exchange.state !== 'waiting' || socket === null) {
    outgoing.destroy();
    return;
  }
  exchange.isConnected = !socket.connecting;
  if (exchange.isConnected) return;
  limitConnecting(socket);
  socket.once('connect', () => {
    exchange.isConnected = true;
  });
};

/**
 * The source of a forwarded body, which the proxy only pipes: it ends the outgoing request with the whole body, or with
 * none. A stream, be it the request itself, would cost a tenth of a request's processor time (npm run bench -- me).
 */
const createBodySource = (body: Buffer | undefined): Stream =>
  ({ pipe: (outgoing: Writable) => outgoing.end(body) }) as unknown as Stream;

/** A service that asks for a new connection unasked is stopping: its other instances are preferred. */
const isStopping = ({ headers }: IncomingMessage): boolean => headers.connection === 'close';

const createLeaveOut =
  (log: Log, metrics: GatewayMetrics) =>
  ({ instances, instance }: Exchange, reason: unknown): void => {
    if (!instance || !instances.leaveOut(instance)) return;
    metrics.leftOut(instances.name);
    log.warn({ upstream: instances.name, url: instance.url, reason }, 'instance left out for a second');
  };

/**
 * Forwards each request, its whole body in memory, to an instance of its service and streams the response. What goes wrong
 * before the response has begun reaches `next` as an AppError; after that the client's connection is cut.
 */
export const createProxy = ({ agent, timeoutMilliseconds, log, metrics }: Options) => {
  const leaveOut = createLeaveOut(log, metrics);

  const onAnswer = (answer: IncomingMessage, req: Request, res: Response): void => {
    const { exchange } = req;
    if (exchange?.state !== 'waiting') return;
    startAnswer(exchange);
    if (isStopping(answer)) leaveOut(exchange, 'stopping');
    forwardAnswer(answer, res);
  };

  const onError = (error: NodeJS.ErrnoException, req: Request, res: Response): void => {
    const { exchange } = req;
    if (exchange?.state === 'answering') {
      metrics.brokenOff(exchange.instances.name);
      log.warn(
        { err: error, requestId: req.requestId, traceId: req.trace?.traceId },
        'the upstream broke its answer off',
      );
    }
    if (exchange?.state !== 'waiting') return;
    if (!exchange.isConnected) leaveOut(exchange, error.code ?? error.message);
    if (mayRepeat(exchange, req, error)) {
      // Each attempt of the proxy adds listeners of its own, and removes none.
      res.setMaxListeners(20);
      void attempt(req, res, exchange.next);
    } else failExchange(exchange, upstreamUnavailable(exchange.instance?.url, error));
  };

  const observe: Plugin<Request, Response> = (proxy) => {
    proxy.on('proxyReq', onAssigned);
    proxy.on('proxyRes', onAnswer);
    proxy.on('error', (error, req, res) => {
      if (req) onError(error, req, res as Response);
    });
  };

  const attempt = createProxyMiddleware<Request, Response>({
    router: ({ exchange, wholeBody }, _res, options) => {
      options.buffer = createBodySource(wholeBody);
      return exchange ? startAttempt(exchange).target : '';
    },
    agent,
    // For pauses within the answer; until it begins, the exchange's own time runs out first.
    proxyTimeout: timeoutMilliseconds + 1_000,
    selfHandleResponse: true,
    // Its own plugins would print every request and answer errors as text.
    ejectPlugins: true,
    plugins: [observe],
  });

  return (instances: Instances): RequestHandler =>
    (req, res, next) => {
      const exchange = startExchange(instances, timeoutMilliseconds, next);
      req.exchange = exchange;
      req.headers = toUpstreamHeaders(req);
      res.once('close', () => endExchange(exchange));
      return attempt(req, res, next);
    };
};

export type Proxy = ReturnType<typeof createProxy>;
