import type { RequestListener } from 'node:http';
import { AppError, routeNotFound, validationFailed } from '@platform/shared/errors/app-error';
import { createErrorHandler } from '@platform/shared/http/error-responses';
import { rejectLargeBody } from '@platform/shared/http/request-body';
import { createRequestState, logRequests, traceRequest } from '@platform/shared/http/request-logging';
import { sendStatic } from '@platform/shared/http/static-content';
import { type Readiness, readReadiness } from '@platform/shared/server/ops-listener';
import type { Runtime } from '@platform/shared/server/serve';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import type { GatewayConfig } from './config.ts';
import { createCors } from './cors.ts';
import { serveDevelopmentPage } from './development-page.ts';
import { blockNetworks, blockPaths } from './limits/kill-switches.ts';
import type { LimitMetrics } from './limits/limit-metrics.ts';
import { limitUnread, type NetworkShares } from './limits/network-share.ts';
import { closeAfterResponse, limitPipelining } from './limits/pipelining.ts';
import type { RateLimits } from './limits/rate-limits.ts';
import { discardBody } from './limits/request-body.ts';
import { correctPageAddress } from './pages/corrected-address.ts';
import type { Pages } from './pages/pages.ts';
import { traceForwarding } from './proxy/client-span.ts';
import type { StaleFilter } from './proxy/stale-requests.ts';
import { requireMethod } from './required-method.ts';
import {
  isHealthRoute,
  isUnambiguousPath,
  SERVICE_METHODS,
  stripQuery,
  type UpstreamFinder,
} from './upstreams.ts';

/** Keyed by the name of the upstream. */
type Forwarding = ReadonlyMap<string, { readBody: RequestHandler; proxy: RequestHandler }>;
type AppOptions = Runtime & {
  config: GatewayConfig;
  readiness: Readiness;
  rateLimits: RateLimits;
  limitMetrics: LimitMetrics;
  /** The shares for responses that the gateway writes itself. */
  ownShares: NetworkShares;
  document: Buffer;
  findUpstream: UpstreamFinder;
  /** The console and the account pages. */
  pages: Pages;
  forwarding: Forwarding;
  /** Rejects what has waited while the process was frozen. */
  staleFilter: Pick<StaleFilter, 'markWaited' | 'rejectStale'>;
};

/** Load balancers poll the health routes so often that their spans would be half of all. */
const traceUnlessHealthRoute: RequestHandler = (req, res, next) =>
  isHealthRoute(req.url) ? next() : traceRequest(req, res, next);

/** Runs what neither waits nor responds as one layer of Express, because each layer allocates 800 bytes. */
const runSteps =
  (...steps: ((req: Request, res: Response) => unknown)[]): RequestHandler =>
  (req, res, next) => {
    for (const step of steps) step(req, res);
    next();
  };

/**
 * Node drops headers beyond its limit (1,000 or 2,000), which could hide a Content-Length. This limit is far
 * below.
 */
const MAX_HEADERS = 100;

/** `rawHeaders` alternates names and values. */
const hasMultipleHosts = ({ rawHeaders }: Request): boolean => {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
  return hosts > 1;
};

const findAmbiguity = (req: Request): string | undefined => {
  const { url, headers, httpVersion } = req;
  // Node's parser accepts a request line without a version, and HTTP/2.0.
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'Unsupported HTTP version; use HTTP/1.1.';
  if (!isUnambiguousPath(stripQuery(url))) return 'Ambiguous path; send it in its normalized form.';
  if (headers.host === undefined && httpVersion !== '1.0') return 'Missing Host header.';
  if (hasMultipleHosts(req)) return 'More than one Host header.';
  const coding = headers['transfer-encoding'];
  // RFC 9112, 6.1: an HTTP/1.0 message with a transfer coding has faulty framing.
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0'))
    return 'Unsupported transfer coding; use chunked over HTTP/1.1.';
  return undefined;
};

/** Rejects requests that an upstream could parse differently from the gateway (request smuggling). */
const rejectAmbiguousRequest = (req: Request, res: Response): void => {
  if (req.rawHeaders.length > 2 * MAX_HEADERS)
    throw new AppError('HEADERS_TOO_LARGE', 431, `Too many headers; send at most ${MAX_HEADERS}.`);
  const ambiguity = findAmbiguity(req);
  if (ambiguity) {
    // The end of such a request is ambiguous, too, and so is the start of the next one on this connection.
    res.set('Connection', 'close');
    throw validationFailed(ambiguity);
  }
};

const sendHealth = (res: Response, status: number, body: object): void => {
  res.status(status).set('Cache-Control', 'no-store').json(body);
};

/** The health routes of the operations listener, for load balancers that reach only the public port. */
const healthRoutes =
  (readiness: Readiness): RequestHandler =>
  ({ method, url }, res, next) => {
    if (!isHealthRoute(url)) return next();
    requireMethod(method, 'GET', 'HEAD');
    // Readable by `no-cors` requests from every origin, so that a page can distinguish a rejected origin from
    // an unreachable gateway.
    if (url === '/healthz')
      return sendHealth(res.set('Cross-Origin-Resource-Policy', 'cross-origin'), 200, { status: 'ok' });
    return readReadiness(readiness).then(({ status, body }) => sendHealth(res, status, body));
  };

/** Serves the OpenAPI document of the whole platform. Each service serves its part together with its page. */
const documentRoute = (document: Buffer): RequestHandler => {
  const send = sendStatic('json', () => document);
  return (req, res, next) => {
    requireMethod(req.method, 'GET');
    send(req, res, next);
  };
};

const forward = ({
  findUpstream,
  forwarding,
  staleFilter,
}: Pick<AppOptions, 'findUpstream' | 'forwarding' | 'staleFilter'>): RequestHandler[] => [
  (req, res, next) => {
    const upstream = findUpstream(stripQuery(req.url));
    if (upstream === undefined) throw routeNotFound();
    req.state.route = upstream.name;
    if (!upstream.isPlatform) requireMethod(req.method, ...SERVICE_METHODS);
    forwarding.get(upstream.name)?.readBody(req, res, next);
  },
  staleFilter.rejectStale,
  (req, res, next) => {
    traceForwarding(req, res);
    forwarding.get(req.state.route ?? '')?.proxy(req, res, next);
  },
];

const discardBodyAfterError: ErrorRequestHandler = (error, req, _res, next) => {
  discardBody(req);
  next(error);
};

/**
 * A client over its limits must not continue at the expense of others. The connections of a proxy belong to
 * many clients, so they stay open.
 */
const closeConnectionOverLimit: ErrorRequestHandler = (error, req, res, next) => {
  if (error instanceof AppError && error.status === 429) closeAfterResponse(req, res);
  next(error);
};

/** RFC 9112, 3.2.2. The authority has no user info (RFC 9110, 4.2.4). */
const ABSOLUTE_FORM = /^https?:\/\/([^/?#@]+)(\/[^?]*)?(\?.*)?$/i;

/**
 * Replaces a target in absolute form by its path; its authority takes the place of `Host`, which HTTP/1.1
 * requires nevertheless. Express skips every handler if it cannot parse the target. With a leading slash it
 * always can.
 */
const withOriginForm =
  (app: Express): RequestListener =>
  (req, res) => {
    const [absolute, authority, path = '/', query = ''] = ABSOLUTE_FORM.exec(req.url ?? '') ?? [];
    if (absolute !== undefined && URL.canParse(absolute)) {
      if (req.headers.host !== undefined || req.httpVersion === '1.0') req.headers.host = authority;
      req.url = path + query;
    } else if (!req.url?.startsWith('/')) req.url = `/${req.url}`;
    app(req, res);
  };

/** The middleware of the gateway, in order. */
export const createApp = (options: AppOptions): RequestListener => {
  const { config, log, metrics, readiness, rateLimits, ownShares, document, pages } = options;
  const { findUpstream, limitMetrics, staleFilter } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', false);
  app.set('trust proxy', config.trustedProxyHops);

  const setHeaders = (_req: Request, res: Response) => res.setHeaders(config.responseHeaders);
  app.use(createRequestState, runSteps(staleFilter.markWaited, setHeaders, limitUnread(ownShares)));
  app.use(traceUnlessHealthRoute, logRequests(log, metrics));
  app.use(rateLimits.consume, createCors(config.allowedOrigins, findUpstream), rateLimits.enforce);
  // After CORS, so that browsers can read the errors.
  if (config.blockedNetworks.length > 0) app.use(blockNetworks(config.blockedNetworks, limitMetrics));
  app.use(correctPageAddress, runSteps(rejectAmbiguousRequest, rejectLargeBody));
  if (config.blockedPaths.length > 0) app.use(pages.serveStylesheets, blockPaths(config.blockedPaths));
  app.all(['/healthz', '/readyz'], healthRoutes(readiness));
  app.all('/openapi.json', documentRoute(document));
  app.use(pages.serve);
  if (config.developmentPageDir !== undefined) app.use(serveDevelopmentPage(config.developmentPageDir));
  app.use(forward(options));
  app.use(discardBodyAfterError);
  if (config.trustedProxyHops === 0) app.use(closeConnectionOverLimit);
  app.use(createErrorHandler(log, { send: pages.sendError }));
  return limitPipelining(withOriginForm(app));
};
