import type { CookieOptions, Request, RequestHandler, Response } from 'express';
import type { RequestContext } from '../audit/audit-log.ts';
import { getClientAddress } from './client-address.ts';
import type { Operation } from './openapi-document.ts';
import { findOperation } from './operation-router.ts';
import { type LoggedCaller, logCallerIds } from './request-logging.ts';

export type CookieChange = { name: string; value?: string; options: CookieOptions };

type Defined<T> = Exclude<T, undefined>;
type Parameters<Op> = Op extends { parameters: infer P } ? P : never;
type Part<P, Name extends string> = P extends { [N in Name]?: infer Value }
  ? Defined<Value>
  : Record<never, never>;
type JsonOf<T> = T extends { content: { 'application/json': infer Body } } ? Body : undefined;
type BodyOf<Op> = Op extends { requestBody?: infer B } ? JsonOf<Defined<B>> : undefined;

/** A request that has passed the contract; `Caller` is what the operation's security handler found. */
export type OperationRequest<Op, Caller> = {
  path: Part<Parameters<Op>, 'path'>;
  query: Part<Parameters<Op>, 'query'>;
  headers: Part<Parameters<Op>, 'header'>;
  body: BodyOf<Op>;
  caller: Caller;
  context: RequestContext;
};

type Responses<Op> = Op extends { responses: infer R } ? R : never;
type SuccessStatus<R> = Extract<keyof R, 200 | 201 | 202 | 204>;

/** One of the operation's documented successes; errors are thrown. */
export type OperationResponse<Op> = {
  [Status in SuccessStatus<Responses<Op>>]: {
    status: Status;
    cookies?: CookieChange[];
    /** For the access log, where the operation and not its security handler finds out who calls. */
    caller?: LoggedCaller;
  } & (JsonOf<Responses<Op>[Status]> extends undefined
    ? { body?: never }
    : { body: JsonOf<Responses<Op>[Status]> });
}[SuccessStatus<Responses<Op>>];

export type OperationHandler<Op, Caller> = (
  request: OperationRequest<Op, Caller>,
) => Promise<OperationResponse<Op>> | OperationResponse<Op>;

/** A handler for each operation of a document; `Callers` gives the caller of each security scheme. */
export type OperationHandlers<Operations, Security extends Record<keyof Operations, string>, Callers> = {
  [Id in keyof Operations]: OperationHandler<
    Operations[Id],
    [Security[Id]] extends [never] ? undefined : Callers[Security[Id] & keyof Callers]
  >;
};

type AnyHandler = (request: never) => Promise<AnyResponse> | AnyResponse;
type AnyResponse = { status: number; body?: unknown; cookies?: CookieChange[]; caller?: LoggedCaller };

const readHeaders = (req: Request, names: string[]): Record<string, string> => {
  const headers: Record<string, string> = {};
  for (const name of names) {
    const value = req.get(name);
    if (value !== undefined) headers[name] = value;
  }
  return headers;
};

/** What `res.json` would send, without what it looks at first: no answer here has an ETag, or a type to choose. */
const sendJson = (res: Response, body: unknown): void => {
  // The validator of answers has put itself there.
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

export const toRequestContext = (req: Request): RequestContext => ({
  address: getClientAddress(req),
  requestId: req.requestId,
});

/**
 * Runs the handler of the operation that the request was routed to.
 * @throws Error naming the operations without a handler and the handlers without an operation.
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
    };
    sendResponse(res, await handler(request as never));
  };
};
