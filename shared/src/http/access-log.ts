import type { Request, RequestHandler, Response } from 'express';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { clientAddressOf } from './client-address.ts';

/** As metrics and spans name it, and not the path, or every id would make one of its own. */
export const routeOf = (req: Request, res: Response): string =>
  req.openapi?.openApiRoute ?? res.locals['route'] ?? 'other';

/** Whose request it is, where that is known. */
export type LoggedCaller = { userId: string; sessionId: string | null };

/** Names the caller in the request's line of the access log: by ids, never by a token or an e-mail. */
export const logCaller = (res: Response, caller: LoggedCaller): void => {
  res.locals['loggedCaller'] = caller;
};

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
      metrics.observeRequest(req.method, routeOf(req, res), res.statusCode, milliseconds / 1000);
      accessLog.info(
        {
          requestId: req.requestId,
          // Said here, since the connection and not the request may be what calls.
          traceId: req.trace?.traceId,
          method: req.method,
          path,
          status: res.statusCode,
          milliseconds: Math.round(milliseconds * 10) / 10,
          address: clientAddressOf(req),
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
