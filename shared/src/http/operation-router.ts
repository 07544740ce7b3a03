import type { Express, Request, RequestHandler, Response } from 'express';
import { match } from 'path-to-regexp';
import type { RequestContext } from '../audit/audit-log.ts';
import { validationFailed } from '../errors/app-error.ts';
import { LANGUAGES, type Language, toLanguage } from '../mail/mail.ts';
import { getClientAddress } from './client-address.ts';
import { routeNotFound } from './error-responses.ts';
import {
  getBasePath,
  listOperationObjects,
  listOperations,
  type OpenApiDocument,
  type Operation,
} from './openapi-document.ts';
import type { CookieChange } from './operations.ts';
import { type LoggedCaller, logCallerIds } from './request-logging.ts';

type OperationObject = {
  operationId: string;
  security?: Record<string, string[]>[] | undefined;
  requestBody?: { required?: boolean };
  /** Also for callers who must still set up a second factor. */
  'x-before-enrolment'?: boolean;
};

/** What express-openapi-validator sets on a routed request. */
type RouteMatch = {
  expressRoute: string;
  openApiRoute: string;
  pathParams: Record<string, string>;
  schema: OperationObject;
};

declare module 'node:http' {
  interface IncomingMessage {
    openapi?: RouteMatch;
  }
}

/** The operation of the document that the request was routed to. */
export const findOperation = (req: Request): OperationObject | undefined => req.openapi?.schema;

/** The validator's match for the operation. @throws the validator's error when it does not know the operation */
const resolveRoute = (
  findRoute: RequestHandler,
  app: Express,
  { method, route }: Operation,
): Promise<RouteMatch> => {
  // The validator accepts every route with a trailing slash, and the base path `/api/v1` only with one.
  const path = `${route.replace(/:\w+/g, 'any')}/`;
  const target = { path, url: path, originalUrl: path, baseUrl: '' };
  const request: Partial<Request> = { app, method: method.toUpperCase(), ...target };
  return new Promise((resolve, reject) => {
    findRoute(request as Request, {} as never, (error?: unknown) => {
      const { openapi } = request;
      if (error === undefined && openapi?.expressRoute.replace(/\/$/, '') === route) resolve(openapi);
      else reject(error ?? new Error(`${method} ${path} is not routed to ${route}`));
    });
  });
};

/** @throws AppError 400 */
const rejectMalformedPath = (path: string): void => {
  try {
    decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) throw validationFailed('The path is not properly encoded');
    throw error;
  }
};

/**
 * Routes requests to operations. The validator compiles the pattern of every route for each request, so its matches are
 * resolved once at start-up; it sees only paths that match no operation, to classify the error (404, 405).
 */
export const createRouteMatcher = async (
  findRoute: RequestHandler,
  app: Express,
  document: OpenApiDocument,
): Promise<RequestHandler> => {
  const basePath = getBasePath(document);
  const fixed = new Map<string, RouteMatch>();
  const patterns: { method: string; matchPath: ReturnType<typeof match>; routed: RouteMatch }[] = [];
  for (const operation of listOperations(document)) {
    const routed = await resolveRoute(findRoute, app, operation);
    const method = operation.method.toUpperCase();
    const { route } = operation;
    if (!route.includes(':')) fixed.set(`${method} ${route}`, routed);
    else patterns.push({ method, matchPath: match(route, { sensitive: true, trailing: false }), routed });
  }

  const find = (method: string, path: string): RouteMatch | undefined => {
    const routed = fixed.get(`${method} ${path}`);
    if (routed) return { ...routed, pathParams: {} };
    for (const pattern of patterns) {
      const found = pattern.method === method && pattern.matchPath(path);
      if (found) return { ...pattern.routed, pathParams: { ...found.params } as Record<string, string> };
    }
    return undefined;
  };

  return (req, res, next) => {
    // path-to-regexp would throw its own error for a parameter that cannot be decoded.
    rejectMalformedPath(req.path);
    const path = req.path === `${basePath}/` ? basePath : req.path;
    const routed = find(req.method, path);
    if (routed) {
      req.openapi = routed;
      next();
      // The validator ignores a trailing slash, so a path with an empty id would match the collection.
    } else if (path.endsWith('/')) routeNotFound(req, res, next);
    else {
      // Otherwise another method of the base path would be 404 instead of 405.
      if (path === basePath) req.originalUrl = `${basePath}/`;
      findRoute(req, res, next);
    }
  };
};

/** Returns the caller or throws an AppError; any other error is a bug or an outage and becomes 500, never 401. */
export type SecurityHandler<Caller> = (req: Request, res: Response) => Promise<Caller>;

/**
 * The handler of an operation. The alternatives of a security requirement are places of one token (a cookie, a header, none),
 * and one handler looks in all of them.
 * @throws Error when they have several handlers, or one of them has several schemes
 */
const findHandler = (
  { operationId, security = [] }: OperationObject,
  handlers: Record<string, SecurityHandler<unknown>>,
): SecurityHandler<unknown> | undefined => {
  const schemes = security.map((requirement) => Object.keys(requirement));
  const [handler, ...others] = new Set(schemes.flat().map((name) => handlers[name]));
  if (others.length > 0 || schemes.some(({ length }) => length > 1))
    throw new Error(`${operationId} has several security handlers`);
  return handler;
};

/** Authenticates the caller with the handler of the operation's security schemes. */
export const authenticate = (
  document: OpenApiDocument,
  handlers: Record<string, SecurityHandler<unknown>>,
): RequestHandler => {
  const unknown = Object.keys(document.components.securitySchemes ?? {}).filter((name) => !handlers[name]);
  if (unknown.length > 0) throw new Error(`Security schemes without a handler: ${unknown.join(', ')}`);
  const byOperation = new Map(
    listOperationObjects(document).map((operation) => [
      operation.operationId,
      findHandler({ security: document.security, ...operation }, handlers),
    ]),
  );

  return async (req, res, next) => {
    const handler = byOperation.get(findOperation(req)?.operationId ?? '');
    if (handler) res.locals.caller = await handler(req, res);
    next();
  };
};

type AnyResponse = { status: number; body?: unknown; cookies?: CookieChange[]; caller?: LoggedCaller };
type AnyHandler = (request: never) => Promise<AnyResponse> | AnyResponse;

export const toRequestContext = (req: Request): RequestContext => ({
  address: getClientAddress(req),
  requestId: req.requestId,
});

/** The best of the languages that the client accepts; undefined when it accepts none of ours, or any. */
export const findLanguage = (req: Request): Language | undefined => {
  for (const accepted of req.acceptsLanguages()) {
    const [primary] = accepted.toLowerCase().split('-');
    const language = LANGUAGES.find((each) => each === primary);
    if (language) return language;
  }
  return undefined;
};

const readHeaders = (req: Request, names: string[]): Record<string, string> => {
  const headers: Record<string, string> = {};
  for (const name of names) {
    const value = req.get(name);
    if (value !== undefined) headers[name] = value;
  }
  return headers;
};

/** Sends what `res.json` would, without its ETag and content negotiation, which no operation needs. */
const sendJson = (res: Response, body: unknown): void => {
  // Response validation has replaced this method.
  if (Object.hasOwn(res, 'json')) {
    res.json(body);
    return;
  }
  const text = JSON.stringify(body);
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', Buffer.byteLength(text));
  res.end(text);
};

const sendResponse = (res: Response, { status, body, cookies, caller }: AnyResponse): void => {
  if (caller) logCallerIds(res, caller);
  for (const { name, value, options } of cookies ?? []) {
    if (value === undefined) res.clearCookie(name, options);
    else res.cookie(name, value, options);
  }
  res.status(status);
  if (body === undefined) res.end();
  else sendJson(res, body);
};

/**
 * Calls the handler of the routed operation.
 * @throws Error that names the operations without a handler and the handlers without an operation
 */
export const createOperationHandler = (operations: Operation[], handlers: object): RequestHandler => {
  const byId = new Map<string, AnyHandler>(Object.entries(handlers));
  const ids = new Set(operations.map(({ id }) => id));
  const missing = [...ids].filter((id) => !byId.has(id));
  if (missing.length > 0) throw new Error(`Operations without a handler: ${missing.join(', ')}`);
  const surplus = [...byId.keys()].filter((id) => !ids.has(id));
  if (surplus.length > 0) throw new Error(`Handlers without an operation: ${surplus.join(', ')}`);
  const headerNames = new Map(operations.map((operation) => [operation.id, operation.headerNames]));

  return async (req, res, next) => {
    const { operationId = '' } = findOperation(req) ?? {};
    const handler = byId.get(operationId);
    if (!handler) return next();
    const request = {
      path: req.openapi?.pathParams ?? {},
      query: req.query,
      headers: readHeaders(req, headerNames.get(operationId) ?? []),
      body: req.body,
      caller: res.locals.caller,
      context: toRequestContext(req),
      // A getter, because few operations cause a mail.
      get language() {
        return findLanguage(req) ?? toLanguage(undefined);
      },
    };
    sendResponse(res, await handler(request as never));
  };
};
