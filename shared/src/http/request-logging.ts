import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type Span, SpanKind } from '@opentelemetry/api';
import type { Request, RequestHandler, Response } from 'express';
import type { Log } from '../log/log.ts';
import { createLogRateLimit } from '../log/log-rate-limit.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { getClientAddress } from '../network/client-address.ts';
import { recordException, setSpanError } from '../tracing/span-errors.ts';
import { tracer } from '../tracing/tracer.ts';
import {
  extractTrace,
  formatTraceparent,
  mayRecordRequest,
  runInSpan,
  runInTrace,
  toTraceContext,
} from '../tracing/tracing.ts';
import type { RequestState } from './request-state.ts';

const VALID_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** A well-formed X-Request-Id of the client, or a new one. */
export const chooseRequestId = ({ 'x-request-id': given }: IncomingHttpHeaders): string =>
  typeof given === 'string' && VALID_REQUEST_ID.test(given) ? given : randomUUID();

/** The response contains the id of the request. */
export const createRequestState: RequestHandler = (req, res, next) => {
  const requestId = chooseRequestId(req.headers);
  const state: RequestState = { requestId };
  req.state = state;
  res.setHeader('X-Request-Id', requestId);
  next();
};

const UNKNOWN_ROUTE = 'other';
const CLIENT_CLOSED_REQUEST = 499;

/** The status that the client got, or 499 (as in nginx) if it disconnected before the response began. */
const getLoggedStatus = (res: Response): number => (res.headersSent ? res.statusCode : CLIENT_CLOSED_REQUEST);

const endSpan = (span: Span, req: Request, res: Response): void => {
  const { requestId, error, publicOperation } = req.state;
  const route = publicOperation?.route ?? req.state.route ?? UNKNOWN_ROUTE;
  span.updateName(`${req.method} ${route}`);
  span.setAttributes({
    'http.request.method': req.method,
    'http.route': route,
    'http.response.status_code': getLoggedStatus(res),
    'url.path': toLoggedPath(req.originalUrl),
    'url.scheme': req.protocol,
    'http.request.header.x-request-id': [requestId],
    ...(error && { 'marketplace.error.code': error.code }),
  });
  if (error?.exception !== undefined) recordException(span, error.exception);
  // A 4xx is an error of the client and not of a server span.
  if (res.statusCode >= 500) setSpanError(span, String(res.statusCode));
  span.end();
};

/**
 * Runs the following middleware in the trace of the caller (W3C `traceparent`), or in a new trace if spans
 * are recorded. A request that cannot be recorded has no separate span, so that the next process gets the
 * header of the caller.
 */
export const traceRequest: RequestHandler = (req, res, next) => {
  const parent = extractTrace(req.headers);
  if (!mayRecordRequest(parent)) {
    if (parent) req.state.trace = parent;
    return runInTrace(parent, next);
  }
  const span = tracer.startSpan(req.method, { kind: SpanKind.SERVER }, toTraceContext(parent));
  req.state.trace = span.spanContext();
  // The gateway forwards this header, so that the span of the upstream is a child of this one.
  req.headers['traceparent'] = formatTraceparent(req.state.trace);
  if (span.isRecording()) res.once('close', () => endSpan(span, req, res));
  // Only the header and the access log need the id of an unsampled trace that begins here.
  else if (!parent) return next();
  runInSpan(span, next);
};

/** A path may have 16 KB, and no operation has one that is longer than this. */
const MAX_PATH_LENGTH = 200;

/** The query, or a fragment that a program sends or a mail filter has encoded, once or twice. */
const END_OF_PATH = /[?#]|%(?:25)*23/;

/** The beginning of the path of a request target. What follows the path may contain secrets. */
export const toLoggedPath = (target: string): string => {
  const start = target.slice(0, MAX_PATH_LENGTH);
  const end = start.search(END_OF_PATH);
  return end === -1 ? start : start.slice(0, end);
};

/**
 * Logs and measures each finished request. Query, fragment and headers are not logged, because they
 * may contain secrets. Requests without a route (pages, 404, 429, health checks, preflights) have a limit of lines,
 * because the rate limits bound only those that reach a route.
 */
export const logRequests = (log: Log, metrics: Metrics): RequestHandler => {
  // These lines contain nothing to redact, and the search for it takes a tenth of the gateway's CPU time.
  const accessLog = log.child({}, { redact: [] });
  const mayWriteLine = createLogRateLimit(log, metrics);
  return (req, res, next) => {
    const started = performance.now();
    const path = toLoggedPath(req.originalUrl);
    res.once('close', () => {
      const milliseconds = performance.now() - started;
      const { requestId, trace, route, error, loggedCaller, callingService } = req.state;
      const { publicOperation, forwarded } = req.state;
      const status = getLoggedStatus(res);
      metrics.observeRequest(req.method, route ?? UNKNOWN_ROUTE, status, milliseconds / 1000);
      const address = getClientAddress(req);
      if (route === undefined && !mayWriteLine(address)) return;
      accessLog.info(
        {
          requestId,
          // The close event may run outside the trace of the request.
          traceId: trace?.traceId,
          method: req.method,
          path,
          operation: publicOperation?.id,
          instance: forwarded?.instance,
          status,
          errorCode: error?.code ?? forwarded?.errorCode,
          milliseconds: Math.round(milliseconds * 10) / 10,
          address,
          userId: loggedCaller?.userId,
          sessionId: loggedCaller?.sessionId,
          callingService,
          ...(!res.writableFinished && { aborted: true }),
        },
        'request',
      );
    });
    next();
  };
};
