import type { Express, Request, RequestHandler } from 'express';
import { type ErrorDetail, escapeKey, validationFailed } from '../errors/app-error.ts';
import { requireDecodablePath } from '../http/request-encoding.ts';
import { isEmail, isInstant } from '../http/text-rules.ts';
import { rejectUndeclaredBody, requireBody, setValidatorContentType } from './body-validation.ts';
import {
  getBasePath,
  type MatchedOperation,
  type OpenApiDocument,
  type Operation,
} from './openapi-document.ts';
import { openApiValidator } from './openapi-validator-adapter.ts';
import { toStrict } from './strict-document.ts';

export type OpenApiValidationOptions = {
  document: OpenApiDocument;
  /**
   * With 'drop', undeclared body fields are removed and undeclared query parameters ignored. With 'reject',
   * they cause a 400.
   */
  unknownFields: 'drop' | 'reject';
  /** Set in tests and development: a response that does not match the document becomes a 500. */
  validateResponses: boolean;
};

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

const FORMATS = {
  // The validator's own pattern accepts urn:uuid:…, which Postgres rejects.
  uuid: UUID,
  email: { type: 'string' as const, validate: isEmail },
  // The value stays a string, which services convert to a Date.
  'date-time': { type: 'string' as const, validate: isInstant },
};

/** Checked here, because the validator would drop names such as `x[__proto__]`. @throws AppError 400 */
const rejectUndeclaredParameters = (declared: readonly string[], { originalUrl }: Request): void => {
  const [, query = ''] = originalUrl.split('?', 2);
  const undeclared = [...new Set(new URLSearchParams(query).keys())].filter(
    (name) => !declared.includes(name),
  );
  const details = undeclared.map((name) => ({
    path: `/query/${escapeKey(name)}`,
    message: 'is not declared',
    rule: 'additionalProperties',
    params: { additionalProperty: name },
  }));
  if (details.length > 0) throw validationFailed('The request breaks the contract', details);
};

const findNonFiniteNumbers = (values: unknown, path: string): ErrorDetail[] =>
  Object.entries(values ?? {})
    .filter(([, value]) => typeof value === 'number' && !Number.isFinite(value))
    .map(([name]) => ({ path: `${path}/${name}`, message: 'must be a finite number', rule: 'not-finite' }));

/**
 * ajv coerces `1e400` and `Infinity` to numbers and does not apply minimum and maximum to them. @throws
 * AppError 400
 */
const rejectNonFiniteNumbers = (req: Request): void => {
  const details = [...findNonFiniteNumbers(req.query, '/query'), ...findNonFiniteNumbers(req.body, '/body')];
  if (details.length > 0) throw validationFailed('The request breaks the contract', details);
};

type Null = { container: Record<string, unknown>; key: string; path: string };

const listNulls = (value: unknown, path: string): Null[] => {
  if (typeof value !== 'object' || value === null) return [];
  const container = value as Record<string, unknown>;
  return Object.entries(container).flatMap(([key, inner]) => {
    const innerPath = `${path}/${escapeKey(key)}`;
    return inner === null ? [{ container, key, path: innerPath }] : listNulls(inner, innerPath);
  });
};

/** ajv coerces `null` to an empty text, 0 or false where null is not allowed. @throws AppError 400 */
const rejectCoercedNulls =
  (validator: RequestHandler): RequestHandler =>
  (req, res, next) => {
    const nulls = listNulls(req.body, '/body');
    return validator(req, res, (error?: unknown) => {
      const details = nulls
        .filter(({ container, key }) => container[key] !== null && container[key] !== undefined)
        .map(({ path }) => ({ path, message: 'must not be null', rule: 'not-null' }));
      next(details.length > 0 ? validationFailed('The request breaks the contract', details) : error);
    });
  };

/** The validator checks the body before dates become text, so convert it first. */
const convertToJson: RequestHandler = (_req, res, next) => {
  const sendJson = res.json.bind(res);
  res.json = (body) => sendJson(JSON.parse(JSON.stringify(body)));
  next();
};

/**
 * Otherwise the validator would reject characters that need no encoding in a URL, before ajv could name the
 * rule.
 */
const allowReservedCharacters = (document: string): string =>
  document.replaceAll('"in":"query"', '"in":"query","allowReserved":true');

/**
 * Returns a copy for the validator, because the document is also published. The strict form is that of
 * responses; and ajv drops undeclared fields of requests only where the schema forbids them. The validator
 * ignores the servers of paths. A code of digits may be a number, which ajv would convert to a text without leading zeros
 * before any keyword sees it. Postgres accepts ids in either case, but audit log, locks and digests compare texts.
 */
const toValidated = (document: OpenApiDocument): OpenApiDocument => {
  const copy = { ...toStrict(document), servers: [{ url: getBasePath(document) || '/' }] };
  return JSON.parse(allowReservedCharacters(JSON.stringify(copy)), (_key, value) => {
    if (value?.['x-digits']) return { ...value, type: ['string', 'integer'] };
    return value?.format === 'uuid' ? { ...value, 'x-lower-case': true } : value;
  });
};

/** express-openapi-validator reads the matched operation from this property. */
type Validated = { openapi?: MatchedOperation };

const run = (middleware: RequestHandler, request: Partial<Request>): Promise<void> =>
  new Promise((resolve, reject) => {
    const done = (error?: unknown) => (error === undefined ? resolve() : reject(error));
    middleware(request as Request, {} as never, done);
  });

/**
 * Validates with express-openapi-validator, as middleware for the route of each operation. The validator
 * finds the operation of a request by compiling the pattern of every route, which takes 70 µs for each
 * request. Express has already found it, so the match is resolved once for each route, with a request that
 * only has its path.
 * @throws Error if the document is invalid
 */
export const createOpenApiValidation = (
  app: Express,
  { document, unknownFields, validateResponses }: OpenApiValidationOptions,
) => {
  const drops = unknownFields === 'drop';
  const middleware = openApiValidator.middleware({
    apiSpec: toValidated(document) as never,
    validateRequests: {
      allowUnknownQueryParameters: true, // rejectUndeclaredParameters names all of them
      coerceTypes: true,
      removeAdditional: drops,
      allErrors: true,
    },
    validateResponses: validateResponses ? { removeAdditional: false } : false,
    validateSecurity: false,
    fileUploader: false,
    formats: FORMATS,
  }) as unknown as RequestHandler[];

  const checkAfter: RequestHandler = (req, _res, next) => {
    requireBody(req);
    rejectNonFiniteNumbers(req);
    next();
  };

  /**
   * `match` sets the operation and the route. `validate` checks the request (400, 415) and, if configured, the response.
   */
  return async ({
    method,
    route,
    queryNames,
  }: Operation): Promise<{ match: RequestHandler; validate: RequestHandler[] }> => {
    // The validator matches the base path `/api/v1` only with a trailing slash, and ignores the slash on
    // other routes.
    const path = `${route.replace(/:\w+/g, 'any')}/`;
    const target = { path, url: path, originalUrl: path, baseUrl: '' };
    const request: Partial<Request> & Validated = { app, method: method.toUpperCase(), ...target };
    const validators = [...middleware];
    while (!request.openapi) {
      const next = validators.shift();
      if (!next) throw new Error(`express-openapi-validator does not know ${method} ${route}`);
      await run(next, request);
    }
    const { openapi } = request;
    const match: RequestHandler = (req, _res, next) => {
      requireDecodablePath(req);
      const { state, params } = req;
      state.operation = { ...openapi, pathParams: { ...params } };
      state.route = openapi.openApiRoute;
      state.publicOperation = { id: String(openapi.schema.operationId), route: openapi.openApiRoute };
      next();
    };
    const checkBefore: RequestHandler = (req: Request & Validated, _res, next) => {
      if (req.state.operation) req.openapi = req.state.operation;
      if (!drops) {
        rejectUndeclaredParameters(queryNames, req);
        rejectUndeclaredBody(req);
      }
      setValidatorContentType(req);
      next();
    };
    const last = validateResponses ? [checkAfter, convertToJson] : [checkAfter];
    return { match, validate: [checkBefore, ...validators.map(rejectCoercedNulls), ...last] };
  };
};
