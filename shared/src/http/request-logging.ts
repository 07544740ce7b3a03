import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Caller } from '../access/caller.ts';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { printTraceparent, runInTrace, type TraceContext, takeTrace } from '../tracing/trace-context.ts';
import { startSpan } from '../tracing/tracing.ts';
import { getClientAddress } from './client-address.ts';

declare module 'node:http' {
  interface IncomingMessage {
    /** Equals the X-Request-Id of the answer. */
    requestId: string;
  }
}

const VALID_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Takes a well-formed X-Request-Id from the caller, else makes one; the answer carries it. */
export const assignRequestId: RequestHandler = (req, res, next) => {
  const given = req.headers['x-request-id'];
  req.requestId = typeof given === 'string' && VALID_REQUEST_ID.test(given) ? given : randomUUID();
  res.setHeader('X-Request-Id', req.requestId);
  next();
};

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
      const route = getRoute(req, res);
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

/** As metrics and spans name it, and not the path, or every id would make one of its own. */
export const getRoute = (req: Request, res: Response): string =>
  req.openapi?.openApiRoute ?? res.locals['route'] ?? 'other';

/** Identifies the caller in the access log: by ids, never by a token or an e-mail. */
export type LoggedCaller = { userId: string; sessionId: string | null };

/** Adds the caller's ids to the access log of the request. */
export const logCallerIds = (res: Response, caller: LoggedCaller): void => {
  res.locals['loggedCaller'] = caller;
};

export const logCaller = (res: Response, { account, session }: Caller): void =>
  logCallerIds(res, { userId: account.userId, sessionId: session?.id ?? null });

/** One line and one figure for each finished request. Neither query nor headers are logged: they may hold secrets. */
export const logRequests = (log: Log, metrics: Metrics): RequestHandler => {
  // The lines hold nothing to redact, and looking for it is a tenth of the gateway's work.
  const accessLog = log.child({}, { redact: [] });
  return (req, res, next) => {
    const started = performance.now();
    const path = req.originalUrl.split('?', 1)[0];
    res.once('close', () => {
      const milliseconds = performance.now() - started;
      const caller: LoggedCaller | undefined = res.locals['loggedCaller'];
      metrics.observeRequest(req.method, getRoute(req, res), res.statusCode, milliseconds / 1000);
      accessLog.info(
        {
          requestId: req.requestId,
          // Said here, since the connection and not the request may be what calls.
          traceId: req.trace?.traceId,
          method: req.method,
          path,
          status: res.statusCode,
          milliseconds: Math.round(milliseconds * 10) / 10,
          address: getClientAddress(req),
          userId: caller?.userId,
          sessionId: caller?.sessionId,
          ...(!res.writableFinished && { aborted: true }),
        },
        'request',
      );
    });
    next();
  };
};
