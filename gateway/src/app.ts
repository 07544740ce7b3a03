import type { RequestListener } from 'node:http';
import { rejectLargeBody } from '@platform/shared/http/body-validation';
import { chainMiddleware } from '@platform/shared/http/chain-middleware';
import { createErrorHandler, routeNotFound } from '@platform/shared/http/error-responses';
import type { Readiness } from '@platform/shared/http/ops-listener';
import { assignRequestId, logRequests, traceRequest } from '@platform/shared/http/request-logging';
import type { Runtime } from '@platform/shared/http/serve';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { GatewayConfig } from './config.ts';
import { crossOrigin } from './edge/cors.ts';
import { answerHealth } from './edge/health.ts';
import type { Limits } from './edge/rate-limits.ts';
import { createBodyReader, discardBody } from './edge/request-body.ts';
import { refuseUnclear } from './edge/request-guards.ts';
import { securityHeaders } from './edge/security-headers.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';
import { findUpstream, pathOf, type UpstreamName } from './upstreams.ts';

type Parts = {
  config: GatewayConfig;
  runtime: Runtime;
  readiness: Readiness;
  forwardTo: Record<UpstreamName, RequestHandler>;
  limits: Limits;
  gatewayMetrics: GatewayMetrics;
};

const findRoute: RequestHandler = (req, res, next) => {
  res.locals.route = findUpstream(pathOf(req.url));
  if (res.locals.route === undefined) routeNotFound(req, res, next);
  else next();
};

const forward =
  (forwardTo: Parts['forwardTo']): RequestHandler =>
  (req, res, next) =>
    forwardTo[res.locals.route as UpstreamName](req, res, next);

const discardBodyAfterError: ErrorRequestHandler = (error, req, _res, next) => {
  discardBody(req);
  next(error);
};

/** Express passes over every handler for a target that it cannot parse, such as `http://[/`: no such target reaches it. */
const asPath =
  (app: Express): RequestListener =>
  (req, res) => {
    if (!req.url?.startsWith('/')) req.url = `/${req.url}`;
    app(req, res);
  };

/** What a request passes on its way through the gateway, from top to bottom. */
export const createApp = ({
  config,
  runtime,
  readiness,
  forwardTo,
  limits,
  gatewayMetrics,
}: Parts): RequestListener => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('trust proxy', config.trustedProxyHops);

  app.use(
    chainMiddleware(
      assignRequestId,
      traceRequest,
      logRequests(runtime.log, runtime.metrics),
      securityHeaders,
      limits.count,
      ...crossOrigin(config.allowedOrigins),
      limits.refuse,
      refuseUnclear,
      answerHealth(readiness),
      rejectLargeBody,
      findRoute,
      createBodyReader(),
      forward(forwardTo),
      routeNotFound,
    ),
  );
  app.use(gatewayMetrics.countErrors, discardBodyAfterError);
  app.use(createErrorHandler(runtime.log));
  return asPath(app);
};
