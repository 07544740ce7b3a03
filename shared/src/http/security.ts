import type { Request, RequestHandler, Response } from 'express';
import type { OpenApiDocument } from './openapi-document.ts';
import { findOperation } from './routing.ts';

/** Finds the caller or throws an AppError; any other error is a fault of ours and ends as 500, never as 401. */
export type SecurityHandler<Caller> = (req: Request, res: Response) => Promise<Caller>;

/** Asks the handler of the scheme that the operation names; stands between the route and the contract. */
export const requireCaller = (
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
