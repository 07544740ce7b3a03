import type { Express, Request, RequestHandler, Response } from 'express';
import { match } from 'path-to-regexp';
import { routeNotFound } from './error-responses.ts';
import type { OpenApiDocument, Operation } from './openapi-document.ts';

type OperationObject = {
  operationId: string;
  security?: Record<string, string[]>[];
  requestBody?: { required?: boolean };
};

/** What the validator notes on a request that it has routed. */
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

type CompiledRoute = { isMatch: ReturnType<typeof match>; routed: RouteMatch };

/** The validator's own answer to a request for the operation. @throws what it says of one that it does not know */
const resolveRoute = (
  findRoute: RequestHandler,
  app: Express,
  { method, route }: Operation,
): Promise<RouteMatch> => {
  // With a slash at the end every route is known to it; the root, `/api/v1`, only so.
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

/**
 * The validator makes every route's pattern anew for each request. So it is asked for each operation once, at the start,
 * and then only for a path that is none of theirs, to say what is wrong with it (404, 405).
 * @param root the one path that is the same with a trailing slash: `/api/v1`
 */
export const createRouteMatcher = async (
  findRoute: RequestHandler,
  app: Express,
  operations: Operation[],
  root: string,
): Promise<RequestHandler> => {
  const fixed = new Map<string, RouteMatch>();
  const patterns = new Map<string, CompiledRoute[]>();
  for (const operation of operations) {
    const routed = await resolveRoute(findRoute, app, operation);
    const method = operation.method.toUpperCase();
    const { route } = operation;
    if (!route.includes(':')) fixed.set(`${method} ${route}`, routed);
    else
      patterns.set(method, [
        ...(patterns.get(method) ?? []),
        { isMatch: match(route, { sensitive: true, trailing: false }), routed },
      ]);
  }

  const find = (method: string, path: string): RouteMatch | undefined => {
    const routed = fixed.get(`${method} ${path}`);
    if (routed) return { ...routed, pathParams: {} };
    for (const { isMatch, routed } of patterns.get(method) ?? []) {
      const found = isMatch(path);
      if (found) return { ...routed, pathParams: { ...found.params } as Record<string, string> };
    }
    return undefined;
  };

  return (req, res, next) => {
    const path = req.path === `${root}/` ? root : req.path;
    const routed = find(req.method, path);
    if (routed) {
      req.openapi = routed;
      next();
      // For the validator a path with a trailing slash is the same: an empty id would become the collection.
    } else if (path.endsWith('/')) routeNotFound(req, res, next);
    else findRoute(req, res, next);
  };
};

/** Finds the caller or throws an AppError; any other error is a fault of ours and ends as 500, never as 401. */
export type SecurityHandler<Caller> = (req: Request, res: Response) => Promise<Caller>;

/** Asks the handler of the scheme that the operation names; stands between the route and the contract. */
export const authenticate = (
  document: OpenApiDocument,
  handlers: Record<string, SecurityHandler<unknown>>,
): RequestHandler => {
  const unknown = Object.keys(document.components.securitySchemes ?? {}).filter((name) => !handlers[name]);
  if (unknown.length > 0) throw new Error(`Security schemes without a handler: ${unknown.join(', ')}`);

  return async (req, res, next) => {
    const security = findOperation(req)?.security ?? document.security ?? [];
    const [scheme] = Object.keys(security[0] ?? {});
    const handler = scheme === undefined ? undefined : handlers[scheme];
    if (handler) res.locals.caller = await handler(req, res);
    next();
  };
};
