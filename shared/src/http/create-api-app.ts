import cookieParser from 'cookie-parser';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import {
  normaliseContentType,
  parseJsonBody,
  rejectLargeBody,
  rejectUnstorableText,
} from './body-validation.ts';
import { chainMiddleware } from './chain-middleware.ts';
import { docsPage } from './docs-page/docs-page.ts';
import { createErrorHandler, routeNotFound } from './error-responses.ts';
import { listOperations, type OpenApiDocument } from './openapi-document.ts';
import { createOpenApiValidation } from './openapi-validation.ts';
import { authenticate, type SecurityHandler } from './operation-router.ts';
import { createOperationHandler } from './operations.ts';
import { assignRequestId, logRequests, traceRequest } from './request-logging.ts';
import { translateValidationError } from './validation-errors.ts';

export type ApiAppOptions = {
  log: Log;
  metrics: Metrics;
  document: OpenApiDocument;
  docsPath: string;
  /** 'drop' removes what the document does not declare, 'refuse' answers 400. */
  unknownFields: 'drop' | 'refuse';
  validateResponses: boolean;
  security: Record<string, SecurityHandler<unknown>>;
  /** Judges the caller that `security` found, before the contract. */
  guards?: RequestHandler[];
  /** Answered before the contract, which knows nothing of them. */
  pages?: RequestHandler;
  /** They add to an error's answer, and pass the error on or a worse one. */
  errorHandlers?: ErrorRequestHandler[];
  operations: object;
};

/** Only a proxy of ours may say what the client's address is: one on a private network or on this machine. */
const TRUSTED_PROXIES = 'loopback, linklocal, uniquelocal';

/** What is never stored is never revalidated either: Express would answer `If-None-Match: *` with 304. */
const noStore: RequestHandler = (req, res, next) => {
  delete req.headers['if-none-match'];
  delete req.headers['if-modified-since'];
  res.setHeader('Cache-Control', 'no-store');
  next();
};

/** The way of every request through a service, top to bottom: route, token, contract, operation. */
export const createApiApp = async (options: ApiAppOptions): Promise<Express> => {
  const { log, metrics, document, docsPath, unknownFields: undeclared, validateResponses } = options;
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing');
  app.set('trust proxy', TRUSTED_PROXIES);
  const contract = await createOpenApiValidation(app, {
    document,
    unknownFields: undeclared,
    validateResponses,
  });

  app.use(
    chainMiddleware(
      assignRequestId,
      traceRequest,
      logRequests(log, metrics),
      docsPage(docsPath, document),
      ...(options.pages ? [options.pages] : []),
      noStore,
      cookieParser(),
      normaliseContentType,
      ...contract.route,
      authenticate(document, options.security),
      ...(options.guards ?? []),
      rejectLargeBody,
      parseJsonBody,
      rejectUnstorableText({ isNullRefused: undeclared === 'refuse' }),
      ...contract.validate,
      createOperationHandler(listOperations(document), options.operations),
      routeNotFound,
    ),
  );
  for (const handler of options.errorHandlers ?? []) app.use(handler);
  app.use(createErrorHandler(log, translateValidationError));
  return app;
};
