import cookieParser from 'cookie-parser';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { rejectLargeBody } from './body-limit.ts';
import { parseJsonBody, rejectUnstorableText } from './body-validation.ts';
import { chainMiddleware } from './chain-middleware.ts';
import { createDocsPage } from './docs-page/docs-page.ts';
import { createErrorHandler, routeNotFound } from './error-responses.ts';
import { listOperations } from './openapi-document.ts';
import { createOpenApiValidation, type OpenApiValidationOptions } from './openapi-validation.ts';
import { authenticate, createOperationHandler, type SecurityHandler } from './operation-router.ts';
import { assignRequestId, logRequests, traceRequest } from './request-logging.ts';
import { translateValidationError } from './validation-errors.ts';

export type ApiAppOptions = OpenApiValidationOptions & {
  log: Log;
  metrics: Metrics;
  docsPath: string;
  security: Record<string, SecurityHandler<unknown>>;
  /** Authorize the caller that `security` found; they run before validation. */
  guards?: RequestHandler[];
  /** Routes that are not part of the document. */
  pages?: RequestHandler;
  /** They may add headers to an error response, and pass on the same error or one that takes precedence. */
  errorHandlers?: ErrorRequestHandler[];
  operations: object;
};

/** Only a proxy on a private network or on this machine may report the client's address. */
const TRUSTED_PROXIES = 'loopback, linklocal, uniquelocal';

/** Express would respond to `If-None-Match: *` with 304, although nothing that is not stored can be revalidated. */
const noStore: RequestHandler = (req, res, next) => {
  delete req.headers['if-none-match'];
  delete req.headers['if-modified-since'];
  res.setHeader('Cache-Control', 'no-store');
  next();
};

/** The pipeline of every service: route, authenticate, authorize, validate, call the operation. */
export const createApiApp = async (options: ApiAppOptions): Promise<Express> => {
  const { log, metrics, document, unknownFields } = options;
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing');
  app.set('trust proxy', TRUSTED_PROXIES);
  const docs = createDocsPage(options.docsPath, document);
  const openApi = await createOpenApiValidation(app, options);

  app.use(
    chainMiddleware(
      assignRequestId,
      traceRequest,
      logRequests(log, metrics),
      (req, res, next) => (docs.paths.has(req.path) ? docs.router(req, res, next) : next()),
      ...(options.pages ? [options.pages] : []),
      noStore,
      cookieParser(),
      openApi.route,
      authenticate(document, options.security),
      ...(options.guards ?? []),
      rejectLargeBody,
      parseJsonBody,
      rejectUnstorableText({ rejectsNull: unknownFields === 'reject' }),
      ...openApi.validate,
      createOperationHandler(listOperations(document), options.operations),
      routeNotFound,
    ),
  );
  for (const handler of options.errorHandlers ?? []) app.use(handler);
  app.use(createErrorHandler(log, translateValidationError));
  return app;
};
