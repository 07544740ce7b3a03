import express, {
  type Express,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import { rejectMethod } from '../http/error-responses.ts';
import { findLanguage, toLanguage } from '../http/language.ts';
import { toRequestContext } from '../http/request-context.ts';
import { rejectUndecodableQuery } from '../http/request-encoding.ts';
import type { LoggedCaller } from '../http/request-state.ts';
import { findTimeZone } from '../http/time-zone.ts';
import { parseBody, rejectUnstorableText } from './body-validation.ts';
import { getBasePath, listOperations, type OpenApiDocument, type Operation } from './openapi-document.ts';
import { createOpenApiValidation, type OpenApiValidationOptions } from './openapi-validation.ts';
import type { CookieChange } from './operations.ts';

/**
 * Returns the caller or throws an AppError. Any other error is a bug or an outage and becomes 500, never 401.
 */
export type SecurityHandler<Caller> = (req: Request, res: Response) => Promise<Caller>;
type SecurityHandlers = Record<string, SecurityHandler<unknown>>;

export type OperationRouterOptions = OpenApiValidationOptions & {
  /** They also authorize, which comes before validation. */
  security: SecurityHandlers;
  operations: object;
  /**
   * Called for the operations with `x-bot-check`, after the validation, with the header X-Bot-Check. Undefined
   * where bots are not checked.
   */
  requireBotCheck?: ((solution: string | undefined) => Promise<void>) | undefined;
  /** Called for the operations with `x-recent-proof`, with the authorized caller, before the validation. */
  requireRecentProof?: (caller: never) => void;
};

/**
 * Finds the handler of an operation. The alternatives of a security requirement are the places of one token
 * (a cookie, a header, none), and one handler checks all of them.
 * @throws Error if the alternatives have several handlers or none, or if one alternative has several schemes
 */
const findSecurityHandler = ({ name, security }: Operation, handlers: SecurityHandlers) => {
  const schemes = security.map((requirement) => Object.keys(requirement));
  const missing = schemes.flat().filter((scheme) => !handlers[scheme]);
  if (missing.length > 0) throw new Error(`Security schemes without a handler: ${missing.join(', ')}`);
  const [handler, ...others] = new Set(schemes.flat().map((scheme) => handlers[scheme]));
  if (others.length > 0 || schemes.some(({ length }) => length > 1))
    throw new Error(`${name} has several security handlers`);
  return handler;
};

const authenticate = (operation: Operation, handlers: SecurityHandlers): RequestHandler[] => {
  const handler = findSecurityHandler(operation, handlers);
  if (!handler) return [];
  const setCaller: RequestHandler = async (req, res, next) => {
    req.state.caller = await handler(req, res);
    next();
  };
  return [setCaller];
};

/** @throws Error if the service does not know how to check it */
const checkProof = (
  { name, needsRecentProof }: Operation,
  { requireRecentProof }: OperationRouterOptions,
): RequestHandler[] => {
  if (!needsRecentProof) return [];
  if (!requireRecentProof) throw new Error(`${name} needs a recent proof, which nothing checks`);
  return [
    ({ state }, _res, next) => {
      requireRecentProof(state.caller as never);
      next();
    },
  ];
};

const checkBot = (
  { needsBotCheck }: Operation,
  { requireBotCheck }: OperationRouterOptions,
): RequestHandler[] => {
  if (!needsBotCheck || !requireBotCheck) return [];
  return [
    async (req, _res, next) => {
      await requireBotCheck(req.get('X-Bot-Check'));
      next();
    },
  ];
};

type AnyResponse = {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
  cookies?: CookieChange[];
  caller?: LoggedCaller;
};
type AnyHandler = (request: never) => Promise<AnyResponse> | AnyResponse;

const readHeaders = (req: Request, names: string[]): Record<string, string> => {
  const headers: Record<string, string> = {};
  for (const name of names) {
    const value = req.get(name);
    if (value !== undefined) headers[name] = value;
  }
  return headers;
};

const abortOnClose = (res: Response): AbortSignal => {
  const controller = new AbortController();
  res.once('close', () => controller.abort());
  return controller.signal;
};

const runOperation =
  ({ kind, headerNames }: Operation, handler: AnyHandler): RequestHandler =>
  async (req, res) => {
    const request = {
      kind,
      path: req.state.operation?.pathParams ?? {},
      query: req.query,
      headers: readHeaders(req, headerNames),
      body: req.body,
      caller: req.state.caller,
      context: toRequestContext(req),
      // These are getters, because few operations need them.
      get signal() {
        return abortOnClose(res);
      },
      get userAgent() {
        return req.get('User-Agent');
      },
      get language() {
        return findLanguage(req) ?? toLanguage(undefined);
      },
      get timeZone() {
        return findTimeZone(req);
      },
    };
    const handling = handler(request as never);
    req.state.handling = handling;
    const { status, body, headers, cookies, caller } = await handling;
    if (caller) req.state.loggedCaller = caller;
    if (headers) res.set(headers);
    for (const { name, value, options } of cookies ?? []) {
      if (value === undefined) res.clearCookie(name, options);
      else res.cookie(name, value, options);
    }
    res.status(status);
    if (body === undefined) res.end();
    else res.json(body);
  };

/** @throws Error that names the operations without a handler and the handlers without an operation */
const findHandlers = (operations: readonly Operation[], handlers: object): Map<string, AnyHandler> => {
  const byName = new Map<string, AnyHandler>(Object.entries(handlers));
  const names = new Set(operations.map(({ name }) => name));
  const missing = [...names].filter((name) => !byName.has(name));
  if (missing.length > 0) throw new Error(`Operations without a handler: ${missing.join(', ')}`);
  const surplus = [...byName.keys()].filter((name) => !names.has(name));
  if (surplus.length > 0) throw new Error(`Handlers without an operation: ${surplus.join(', ')}`);
  return byName;
};

/** A fixed path such as `/users/me` takes precedence over `/users/{id}` (OpenAPI 3.1, section 4.8.8). */
const groupByRoute = (document: OpenApiDocument): [route: string, operations: Operation[]][] =>
  [...Map.groupBy(listOperations(document), ({ route }) => route)].sort(
    ([one], [other]) => Number(one.includes(':')) - Number(other.includes(':')),
  );

/**
 * Creates an Express route for each operation of the document. A route authenticates, authorizes, validates,
 * and calls the handler.
 */
export const createOperationRouter = async (
  app: Express,
  options: OperationRouterOptions,
): Promise<Router> => {
  const { document, security } = options;
  const handlers = findHandlers(listOperations(document), options.operations);
  const validateOperation = createOpenApiValidation(app, options);
  const body = [parseBody, rejectUndecodableQuery, rejectUnstorableText];
  const basePath = getBasePath(document);
  const router = express.Router({ caseSensitive: true, strict: true });
  for (const [path, operations] of groupByRoute(document)) {
    const route = router.route(path === basePath ? [path, `${path}/`] : path);
    for (const operation of operations) {
      const { match, validate } = await validateOperation(operation);
      route[operation.method](
        match,
        authenticate(operation, security),
        checkProof(operation, options),
        body,
        validate,
        checkBot(operation, options),
        runOperation(operation, handlers.get(operation.name) as AnyHandler),
      );
    }
    const rejectOthers = rejectMethod(...operations.map(({ method }) => method.toUpperCase()));
    // Otherwise Express would respond to HEAD like to GET.
    route.head(rejectOthers).all(rejectOthers);
  }
  return router;
};
