import { randomUUID } from 'node:crypto';
import { type Span, type SpanContext, SpanKind } from '@opentelemetry/api';
import type { Request, RequestHandler, Response } from 'express';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
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
import { getClientAddress } from './client-address.ts';

declare module 'node:http' {
  interface IncomingMessage {
    /** The same value as in the header X-Request-Id of the response. */
    requestId: string;
    /** The trace of the caller, or the span of this process if spans are recorded. */
    trace?: SpanContext;
  }
}

const VALID_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Uses a well-formed X-Request-Id of the client, or a new one. The response contains it. */
export const assignRequestId: RequestHandler = (req, res, next) => {
  const given = req.headers['x-request-id'];
  req.requestId = typeof given === 'string' && VALID_REQUEST_ID.test(given) ? given : randomUUID();
  res.setHeader('X-Request-Id', req.requestId);
  next();
};

/** The code of an error response, and the exception of a 5xx. */
type RequestError = { code: string; exception?: unknown };

export const getRequestError = (res: Response): RequestError | undefined => res.locals['requestError'];

export const logRequestError = (res: Response, error: RequestError): void => {
  res.locals['requestError'] = error;
};

const CLIENT_CLOSED_REQUEST = 499;

/** The status that the client got, or 499 (as in nginx) if it disconnected before the response began. */
const getLoggedStatus = (res: Response): number => (res.headersSent ? res.statusCode : CLIENT_CLOSED_REQUEST);

const endSpan = (span: Span, req: Request, res: Response): void => {
  const route = getRoute(req, res);
  const error = getRequestError(res);
  span.updateName(`${req.method} ${route}`);
  span.setAttributes({
    'http.request.method': req.method,
    'http.route': route,
    'http.response.status_code': getLoggedStatus(res),
    'url.path': getPath(req),
    'url.scheme': req.protocol,
    'http.request.header.x-request-id': [req.requestId],
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
    if (parent) req.trace = parent;
    return runInTrace(parent, next);
  }
  const span = tracer.startSpan(req.method, { kind: SpanKind.SERVER }, toTraceContext(parent));
  req.trace = span.spanContext();
  // The gateway forwards this header, so that the span of the upstream is a child of this one.
  req.headers['traceparent'] = formatTraceparent(req.trace);
  if (span.isRecording()) res.once('close', () => endSpan(span, req, res));
  // Only the header and the access log need the id of an unsampled trace that begins here.
  else if (!parent) return next();
  runInSpan(span, next);
};

/** The route for metrics and spans. Paths contain ids, each of which would create a new series. */
const getRoute = (req: Request, res: Response): string =>
  req.openapi?.openApiRoute ?? res.locals['route'] ?? 'other';

/** The path without the query, which may contain secrets. */
const getPath = (req: Request): string | undefined => req.originalUrl.split('?', 1)[0];

/** Identifies the caller in the access log by ids, and never by a token or an e-mail. */
export type LoggedCaller = { userId: string; sessionId: string | null };

export const logCallerIds = (res: Response, caller: LoggedCaller): void => {
  res.locals['loggedCaller'] = caller;
};

/** The service that called an internal operation. */
export const logCallingService = (res: Response, name: string): void => {
  res.locals['callingService'] = name;
};

/**
 * Logs and measures each finished request. Query and headers are not logged, because they may contain
 * secrets.
 */
export const logRequests = (log: Log, metrics: Metrics): RequestHandler => {
  // These lines contain nothing to redact, and the search for it takes a tenth of the gateway's CPU time.
  const accessLog = log.child({}, { redact: [] });
  return (req, res, next) => {
    const started = performance.now();
    const path = getPath(req);
    res.once('close', () => {
      const milliseconds = performance.now() - started;
      const caller: LoggedCaller | undefined = res.locals['loggedCaller'];
      const status = getLoggedStatus(res);
      metrics.observeRequest(req.method, getRoute(req, res), status, milliseconds / 1000);
      accessLog.info(
        {
          requestId: req.requestId,
          // The close event may run outside the trace of the request.
          traceId: req.trace?.traceId,
          method: req.method,
          path,
          status,
          errorCode: getRequestError(res)?.code,
          milliseconds: Math.round(milliseconds * 10) / 10,
          address: getClientAddress(req),
          userId: caller?.userId,
          sessionId: caller?.sessionId,
          callingService: res.locals['callingService'],
          ...(!res.writableFinished && { aborted: true }),
        },
        'request',
      );
    });
    next();
  };
};
