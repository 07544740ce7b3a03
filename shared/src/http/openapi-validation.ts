import type { Express, Request, RequestHandler } from 'express';
import * as openApiValidator from 'express-openapi-validator';
import { type ErrorDetail, validationFailed } from '../errors/app-error.ts';
import { rejectUndeclaredBody, requireBody, setValidatorContentType } from './body-validation.ts';
import type { OpenApiDocument, Operation } from './openapi-document.ts';

export type OpenApiValidationOptions = {
  document: OpenApiDocument;
  /** 'drop' removes undeclared body fields and ignores undeclared query parameters; 'reject' responds with 400. */
  unknownFields: 'drop' | 'reject';
  /** In tests and development: a response that the document does not describe becomes a 500. */
  validateResponses: boolean;
};

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/i;

const FORMATS = {
  // The validator's own pattern accepts urn:uuid:…, which Postgres rejects.
  uuid: UUID,
  // RFC 3339 with a time zone; seconds may be missing. Stays a string; services convert it to a Date.
  'date-time': {
    type: 'string' as const,
    validate: (text: string) => INSTANT.test(text) && !Number.isNaN(Date.parse(text)),
  },
};

type Format = { type: 'string'; validate: (text: string) => boolean };

/** Limits that JSON Schema cannot express, declared as vendor extensions of a string schema. */
type ExtendedSchema = {
  /** The maximum in bytes of UTF-8; `maxLength` counts characters. */
  'x-max-bytes'?: number;
  /** `maxLength` applies to the value without surrounding white space. */
  'x-trim'?: boolean;
  maxLength?: number;
};

const toFormat = (schema: ExtendedSchema): { name: string; format: Format } | undefined => {
  const { 'x-max-bytes': maxBytes, 'x-trim': trims, maxLength = Number.POSITIVE_INFINITY } = schema;
  if (maxBytes !== undefined)
    return {
      name: `at most ${maxBytes} bytes`,
      format: { type: 'string', validate: (text) => Buffer.byteLength(text) <= maxBytes },
    };
  if (trims)
    return {
      name: `at most ${maxLength} characters`,
      format: { type: 'string', validate: (text) => [...text.trim()].length <= maxLength },
    };
  return undefined;
};

/** A copy of the document in which each of these extensions is a format, for a validator that knows no others. */
export const replaceSchemaExtensions = (
  document: OpenApiDocument,
): { document: OpenApiDocument; formats: Record<string, Format> } => {
  const formats: Record<string, Format> = {};
  const replace = (_key: string, value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const found = toFormat(value);
    if (!found) return value;
    formats[found.name] = found.format;
    const { maxLength, ...rest } = value as ExtendedSchema;
    return { ...rest, ...('x-max-bytes' in value && { maxLength }), format: found.name };
  };
  return { document: JSON.parse(JSON.stringify(document), replace) as OpenApiDocument, formats };
};

/** The validator's query parser drops names such as `x[__proto__]` before it could reject them. @throws AppError 400 */
const rejectBracketedParameters = ({ originalUrl }: Request): void => {
  const [, query = ''] = originalUrl.split('?', 2);
  const bracketed = [...new URLSearchParams(query).keys()].filter((name) => name.includes('['));
  const details = bracketed.map((name) => ({
    path: `/query/${name}`,
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

/** ajv coerces `1e400` and `Infinity` to numbers and does not apply minimum and maximum to them. @throws AppError 400 */
const rejectNonFiniteNumbers = (req: Request): void => {
  const details = [...findNonFiniteNumbers(req.query, '/query'), ...findNonFiniteNumbers(req.body, '/body')];
  if (details.length > 0) throw validationFailed('The request breaks the contract', details);
};

/** The validator checks the body before its dates become text. */
const convertToJson: RequestHandler = (_req, res, next) => {
  const sendJson = res.json.bind(res);
  res.json = (body) => sendJson(JSON.parse(JSON.stringify(body)));
  next();
};

const run = (middleware: RequestHandler, request: Partial<Request>): Promise<void> =>
  new Promise((resolve, reject) => {
    const done = (error?: unknown) => (error === undefined ? resolve() : reject(error));
    middleware(request as Request, {} as never, done);
  });

/**
 * Validation by express-openapi-validator, as middleware for the route of each operation. The validator finds the operation of
 * a request by compiling the pattern of every route (70 µs of a request). Express has found it already, so the validator's match
 * is resolved once for each route, with a request that only has its path.
 * @throws Error when the document is invalid
 */
export const createOpenApiValidation = (
  app: Express,
  { document, unknownFields, validateResponses }: OpenApiValidationOptions,
) => {
  const drops = unknownFields === 'drop';
  // A copy: the validator modifies the document, which is also published.
  const { document: apiSpec, formats } = replaceSchemaExtensions(document);
  const middleware = openApiValidator.middleware({
    apiSpec: apiSpec as never,
    validateRequests: {
      allowUnknownQueryParameters: drops,
      coerceTypes: true,
      removeAdditional: drops,
      allErrors: true,
    },
    validateResponses: validateResponses ? { removeAdditional: false } : false,
    validateSecurity: false,
    fileUploader: false,
    formats: { ...FORMATS, ...formats },
  }) as unknown as RequestHandler[];

  const checkBefore: RequestHandler = (req, _res, next) => {
    if (!drops) {
      rejectBracketedParameters(req);
      rejectUndeclaredBody(req);
    }
    setValidatorContentType(req);
    next();
  };
  const checkAfter: RequestHandler = (req, _res, next) => {
    requireBody(req);
    rejectNonFiniteNumbers(req);
    next();
  };

  /** `match` sets `req.openapi`; `validate` checks the request (400, 415) and, if it shall, the response. */
  return async ({
    method,
    route,
  }: Operation): Promise<{ match: RequestHandler; validate: RequestHandler[] }> => {
    // The validator knows the base path `/api/v1` only with a trailing slash, and ignores that of other routes.
    const path = `${route.replace(/:\w+/g, 'any')}/`;
    const target = { path, url: path, originalUrl: path, baseUrl: '' };
    const request: Partial<Request> = { app, method: method.toUpperCase(), ...target };
    const validators = [...middleware];
    while (!request.openapi) {
      const next = validators.shift();
      if (!next) throw new Error(`express-openapi-validator does not know ${method} ${route}`);
      await run(next, request);
    }
    const { openapi } = request;
    const match: RequestHandler = (req, _res, next) => {
      req.openapi = { ...openapi, pathParams: { ...req.params } };
      next();
    };
    const last = validateResponses ? [checkAfter, convertToJson] : [checkAfter];
    return { match, validate: [checkBefore, ...validators, ...last] };
  };
};
