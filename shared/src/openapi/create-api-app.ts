import cookieParser from 'cookie-parser';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { createErrorHandler, rejectUnknownRoute } from '../http/error-responses.ts';
import { escapeUndecodablePath } from '../http/request-encoding.ts';
import { createRequestState, logRequests, traceRequest } from '../http/request-logging.ts';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { createDocsPage } from './docs-page/docs-page.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import { createOperationRouter, type OperationRouterOptions } from './operation-router.ts';
import { translateValidationError } from './validation-errors.ts';

export type ApiAppOptions = OperationRouterOptions & {
  log: Log;
  metrics: Metrics;
  docsPath: string;
  /** By default, browsers keep the documentation for an hour. */
  docsCacheControl?: string;
  /** The document to publish, if it has more operations than this service. */
  publishedDocument?: OpenApiDocument;
  /** Routes that are not part of the document. */
  pages?: RequestHandler;
  /**
   * These handlers may add headers to an error response. They pass on the same error or one that takes
   * precedence.
   */
  errorHandlers?: ErrorRequestHandler[];
};

/** Only a proxy on a private network or on this machine may report the address of the client. */
const TRUSTED_PROXIES = 'loopback, linklocal, uniquelocal';

/**
 * Express would respond to `If-None-Match: *` with 304, although a response that must not be stored cannot be
 * revalidated.
 */
const noStore: RequestHandler = (req, res, next) => {
  delete req.headers['if-none-match'];
  delete req.headers['if-modified-since'];
  res.setHeader('Cache-Control', 'no-store');
  next();
};

/** The middleware of every service. operation-router.ts has the part that depends on the operation. */
export const createApiApp = async (options: ApiAppOptions): Promise<Express> => {
  const { log, metrics } = options;
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing');
  app.set('trust proxy', TRUSTED_PROXIES);
  app.use(createRequestState, traceRequest, logRequests(log, metrics));
  app.use(
    options.docsPath,
    createDocsPage(options.publishedDocument ?? options.document, options.docsCacheControl),
  );
  if (options.pages) app.use(options.pages);
  app.use(noStore, cookieParser(), escapeUndecodablePath);
  app.use(await createOperationRouter(app, options));
  app.use(rejectUnknownRoute);
  for (const handler of options.errorHandlers ?? []) app.use(handler);
  app.use(createErrorHandler(log, { translate: translateValidationError, isBehindGateway: true }));
  return app;
};
