import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { bodyTooLarge } from '@platform/shared/errors/app-error';
import type { Log } from '@platform/shared/log/log';
import type { Request, RequestHandler, Response } from 'express';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import {
  type Exchange,
  endExchange,
  failExchange,
  hasBody,
  mayRepeat,
  startAnswer,
  startAttempt,
  startExchange,
} from './exchange.ts';
import { forwardAnswer } from './forward-answer.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';
import type { Instances } from './instances.ts';
import { countBytes, discardBody, holdUntilConnected } from './outgoing-body.ts';
import { toUpstreamHeaders } from './request-headers.ts';
import { upstreamUnavailable } from './upstream-errors.ts';

type Options = { agent: Agent; timeoutMilliseconds: number; log: Log; metrics: GatewayMetrics };

/** A host that does not even refuse must not hold requests for as long as one that computes. */
const CONNECT_MILLISECONDS = 2_000;

const limitConnecting = (socket: Socket): void => {
  const timer = setTimeout(() => socket.destroy(new Error('connecting took too long')), CONNECT_MILLISECONDS);
  const stop = () => clearTimeout(timer);
  socket.once('connect', stop).once('close', stop);
};

const onConnecting = (exchange: Exchange, req: Request, socket: Socket): void => {
  limitConnecting(socket);
  socket.once('connect', () => {
    exchange.isConnected = true;
  });
  if (hasBody(req)) holdUntilConnected(req, socket);
};

const onExcess = (exchange: Exchange, req: Request): void => {
  if (exchange.state === 'waiting') failExchange(exchange, bodyTooLarge());
  else discardBody(req);
};

/** The agent has given the attempt a connection, be it a new one that is still being made. */
const onAssigned = (outgoing: ClientRequest, req: Request): void => {
  const { exchange } = req;
  if (!exchange) return;
  exchange.outgoing = outgoing;
  const { socket } = outgoing;
  if (exchange.state !== 'waiting' || socket === null) {
    outgoing.destroy();
    return;
  }
  // The proxy asks for the end of the connection with every chunked request. A service that answers before it has read the
  // body would then reset it under the writer, and the answer be lost; kept, the body is read to its end.
  if (outgoing.hasHeader('Connection')) outgoing.removeHeader('Connection');
  exchange.isConnected = !socket.connecting;
  if (socket.connecting) onConnecting(exchange, req, socket);
  if (req.headers['transfer-encoding'] === undefined || exchange.isCounted) return;
  exchange.isCounted = true;
  countBytes(req, () => onExcess(exchange, req));
};

/** A service that asks for a new connection unasked is stopping: its other instances are preferred. */
const isStopping = (answer: IncomingMessage, { outgoing }: Exchange): boolean =>
  answer.headers.connection === 'close' && outgoing?.hasHeader('connection') === false;

const createLeaveOut =
  (log: Log, metrics: GatewayMetrics) =>
  ({ instances, instance }: Exchange, reason: unknown): void => {
    if (!instance || !instances.leaveOut(instance)) return;
    metrics.leftOut(instances.name);
    log.warn({ upstream: instances.name, url: instance.url, reason }, 'instance left out for a second');
  };

/**
 * Passes each request to an instance of its service, body and answer as streams. What goes wrong before the answer
 * has begun reaches `next` as an AppError; after that the client's connection is cut.
 */
export const createProxy = ({ agent, timeoutMilliseconds, log, metrics }: Options) => {
  const leaveOut = createLeaveOut(log, metrics);

  const onAnswer = (answer: IncomingMessage, req: Request, res: Response): void => {
    const { exchange } = req;
    if (exchange?.state !== 'waiting') return;
    startAnswer(exchange);
    if (isStopping(answer, exchange)) leaveOut(exchange, 'stopping');
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
    if (mayRepeat(exchange, req, error)) void attempt(req, res, exchange.next);
    else failExchange(exchange, upstreamUnavailable(exchange.instance?.url, error));
  };

  const observe: Plugin<Request, Response> = (proxy) => {
    proxy.on('proxyReq', onAssigned);
    proxy.on('proxyRes', onAnswer);
    proxy.on('error', (error, req, res) => {
      if (req) onError(error, req, res as Response);
    });
  };

  const attempt = createProxyMiddleware<Request, Response>({
    router: ({ exchange }) => (exchange ? startAttempt(exchange).target : ''),
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
      const exchange = startExchange(req, instances, timeoutMilliseconds, next);
      req.exchange = exchange;
      req.headers = toUpstreamHeaders(req);
      res.once('close', () => endExchange(exchange));
      return attempt(req, res, next);
    };
};

export type Proxy = ReturnType<typeof createProxy>;
