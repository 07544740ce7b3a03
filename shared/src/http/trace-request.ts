import type { RequestHandler } from 'express';
import { printTraceparent, runInTrace, type TraceContext, takeTrace } from '../tracing/trace-context.ts';
import { startSpan } from '../tracing/tracing.ts';
import { routeOf } from './access-log.ts';

declare module 'node:http' {
  interface IncomingMessage {
    /** That of the caller, or one of our own while spans are made. */
    trace?: TraceContext;
  }
}

/** Goes on with the caller's trace (W3C `traceparent`); begins one if spans are made. What comes next is done within it. */
export const traceRequest: RequestHandler = (req, res, next) => {
  const given = takeTrace(req.headers);
  const span = startSpan({ name: req.method, kind: 'server' }, given);
  const trace = span?.context ?? given;
  if (!trace) return next();
  req.trace = trace;
  if (span) {
    // What a gateway passes on is a part of its own span.
    req.headers['traceparent'] = printTraceparent(trace);
    res.once('close', () => {
      const route = routeOf(req, res);
      const attributes = {
        'http.request.method': req.method,
        'http.route': route,
        'http.response.status_code': res.statusCode,
        'http.request.header.x-request-id': req.requestId,
      };
      const errorType = res.statusCode >= 500 ? String(res.statusCode) : undefined;
      span.end({ name: `${req.method} ${route}`, attributes, errorType });
    });
  }
  runInTrace(trace, next);
};
