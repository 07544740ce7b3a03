import { createApiApp } from '@platform/shared/http/create-api-app';
import { getBasePath, type OpenApiDocument } from '@platform/shared/http/openapi-document';
import { createLog } from '@platform/shared/log/log';
import { createMetrics } from '@platform/shared/metrics/metrics';
import cors, { type CorsOptions } from 'cors';
import express, { type Express, type RequestHandler } from 'express';
import { loadMockDocument } from './mock-document.ts';
import { createMockOperations } from './mock-operations.ts';
import { createMockSecurity, requireRole } from './mock-security.ts';
import { createMockSessions } from './mock-sessions.ts';
import { createPreferredResponse } from './preferred-response.ts';

/** As the gateway in development, and for the Prefer header. */
const CORS: CorsOptions = {
  origin: /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/,
  credentials: true,
  methods: ['GET', 'POST', 'PATCH', 'DELETE'],
  exposedHeaders: ['X-Request-Id', 'Retry-After', 'RateLimit', 'RateLimit-Policy', 'Preference-Applied'],
  maxAge: 600,
};

/** `/customers/auth/sign-in` → `/customers/auth` */
const listPrefixes = (document: OpenApiDocument): string[] => {
  const prefixes = Object.keys(document.paths).map((path) => /^.*?\/auth(?=\/)/.exec(path)?.[0] ?? path);
  return [...new Set(prefixes)].map((prefix) => `${getBasePath(document)}${prefix}/`);
};

type LogRequest = (method: string, path: string, status: number) => void;

const reportRequests =
  (log: LogRequest): RequestHandler =>
  (req, res, next) => {
    res.once('finish', () => log(req.method, req.originalUrl, res.statusCode));
    next();
  };

/** Both documents behind one address. Requests pass the pipeline of the services: the same checks and error bodies. */
export const createMockApp = async (logRequest: LogRequest): Promise<Express> => {
  const [auth, admin] = await Promise.all([loadMockDocument('auth'), loadMockDocument('admin')]);
  const [log, metrics] = [createLog({ service: 'mock', level: 'error' }), createMetrics('mock')];
  const sessions = createMockSessions();
  const createPart = (document: OpenApiDocument, docsPath: string, unknownFields: 'drop' | 'reject') =>
    createApiApp({
      log,
      metrics,
      document,
      docsPath,
      unknownFields,
      validateResponses: true,
      security: createMockSecurity(document, sessions),
      guards: [requireRole, createPreferredResponse(document)],
      operations: createMockOperations(document, sessions),
    });
  const authPart = await createPart(auth, '/api', 'drop');
  const adminPart = await createPart(admin, '/api/v1/docs', 'reject');
  const prefixes = listPrefixes(auth);
  const isAuth = (path: string) =>
    prefixes.some((prefix) => path.startsWith(prefix)) || !path.startsWith('/api/v1');

  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use(reportRequests(logRequest), cors(CORS));
  app.use((req, res, next) => (isAuth(req.path) ? authPart : adminPart)(req, res, next));
  return app;
};
