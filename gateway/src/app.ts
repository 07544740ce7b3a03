import type { RequestListener } from 'node:http';
import { AppError } from '@platform/shared/errors/app-error';
import { rejectLargeBody } from '@platform/shared/http/body-limit';
import { createErrorHandler, routeNotFound } from '@platform/shared/http/error-responses';
import type { Readiness } from '@platform/shared/http/ops-listener';
import { assignRequestId, logRequests, traceRequest } from '@platform/shared/http/request-logging';
import type { Runtime } from '@platform/shared/http/serve';
import express, { type ErrorRequestHandler, type Express, type RequestHandler, type Response } from 'express';
import type { GatewayConfig } from './config.ts';
import { createCors } from './edge/cors.ts';
import { serveDevelopmentPage } from './edge/development-page.ts';
import type { RateLimits } from './edge/rate-limits.ts';
import { discardBody } from './edge/request-body.ts';
import { rejectAmbiguousRequest } from './edge/request-guards.ts';
import { setSecurityHeaders } from './edge/security-headers.ts';
import { findUpstream, isHealthRoute, stripQuery, type UpstreamName } from './upstreams.ts';

type Proxies = Record<UpstreamName, RequestHandler>;
type AppOptions = Runtime & {
  config: GatewayConfig;
  readiness: Readiness;
  rateLimits: RateLimits;
  document: Buffer;
  readBody: RequestHandler;
  proxies: Proxies;
};

const sendHealth = (res: Response, status: number, body: object): void => {
  res.status(status).set('Cache-Control', 'no-store').json(body);
};

/** @throws AppError 405 */
const requireGet = (method: string): void => {
  if (method === 'GET') return;
  throw new AppError('METHOD_NOT_ALLOWED', 405, 'Method not allowed; use GET.', {
    headers: { Allow: 'GET' },
  });
};

/** The health routes of the operations listener, for load balancers that reach only the public port. */
const healthRoutes =
  (readiness: Readiness): RequestHandler =>
  async ({ method, url }, res, next) => {
    if (!isHealthRoute(url)) return next();
    requireGet(method);
    // Readable by `no-cors` requests of every origin, so that a page can tell a refused origin from an unreachable gateway.
    if (url === '/healthz')
      return sendHealth(res.set('Cross-Origin-Resource-Policy', 'cross-origin'), 200, { status: 'ok' });
    const { ready, failing } = await readiness.read();
    sendHealth(res, ready ? 200 : 503, ready ? { status: 'ready' } : { status: 'unavailable', failing });
  };

/** The OpenAPI document of the whole platform; each service serves its own with its page. */
const documentRoute =
  (document: Buffer): RequestHandler =>
  ({ method, url }, res, next) => {
    if (stripQuery(url) !== '/openapi.json') return next();
    requireGet(method);
    res.type('json').send(document);
  };

const findRoute: RequestHandler = (req, res, next) => {
  res.locals.route = findUpstream(stripQuery(req.url));
  if (res.locals.route === undefined) routeNotFound(req, res, next);
  else next();
};

const forward =
  (proxies: Proxies): RequestHandler =>
  (req, res, next) =>
    proxies[res.locals.route as UpstreamName](req, res, next);

const discardBodyAfterError: ErrorRequestHandler = (error, req, _res, next) => {
  discardBody(req);
  next(error);
};

/** Express skips every handler when it cannot parse the target (`http://[/`); with a leading slash it always can. */
const withLeadingSlash =
  (app: Express): RequestListener =>
  (req, res) => {
    if (!req.url?.startsWith('/')) req.url = `/${req.url}`;
    app(req, res);
  };

/** The middleware of the gateway, in order. */
export const createApp = (options: AppOptions): RequestListener => {
  const { config, log, metrics, readiness, rateLimits, document, readBody, proxies } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('trust proxy', config.trustedProxyHops);

  app.use(assignRequestId, traceRequest, logRequests(log, metrics), setSecurityHeaders);
  app.use(rateLimits.consume, createCors(config.allowedOrigins), rateLimits.enforce, rejectAmbiguousRequest);
  app.use(healthRoutes(readiness), documentRoute(document));
  if (config.developmentPageDir !== undefined) app.use(serveDevelopmentPage(config.developmentPageDir));
  app.use(rejectLargeBody, findRoute, readBody, forward(proxies));
  app.use(discardBodyAfterError);
  app.use(createErrorHandler(log));
  return withLeadingSlash(app);
};
