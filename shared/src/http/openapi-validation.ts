import type { Express, Request, RequestHandler } from 'express';
import * as openApiValidator from 'express-openapi-validator';
import { type ErrorDetail, validationFailed } from '../errors/app-error.ts';
import { rejectUndeclaredBody, requireBody, setValidatorContentType } from './body-validation.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import { createRouteMatcher } from './operation-router.ts';
import { replaceSchemaExtensions } from './schema-extensions.ts';

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

/** The validator's query parser drops names such as `x[__proto__]` before it could reject them. @throws AppError 400 */
const rejectBracketedParameters = ({ originalUrl }: Request): void => {
  const [, query = ''] = originalUrl.split('?', 2);
  const bracketed = [...new URLSearchParams(query).keys()].filter((name) => name.includes('['));
  const details = bracketed.map((name) => ({ path: `/query/${name}`, message: 'is not declared' }));
  if (details.length > 0) throw validationFailed('The request breaks the contract', details);
};

const findNonFiniteNumbers = (values: unknown, path: string): ErrorDetail[] =>
  Object.entries(values ?? {})
    .filter(([, value]) => typeof value === 'number' && !Number.isFinite(value))
    .map(([name]) => ({ path: `${path}/${name}`, message: 'must be a finite number' }));

/** ajv coerces `1e400` and `Infinity` to numbers and does not apply minimum and maximum to them. @throws AppError 400 */
const rejectNonFiniteNumbers = (req: Request): void => {
  const details = [...findNonFiniteNumbers(req.query, '/query'), ...findNonFiniteNumbers(req.body, '/body')];
  if (details.length > 0) throw validationFailed('The request breaks the contract', details);
};

/**
 * Routing and validation by express-openapi-validator as two pieces of middleware, so that the token is checked between
 * them: `route` (404, 405) and `validate` (400, 415, responses). What the validator does not check is checked around it.
 * @throws Error when the document is invalid
 */
export const createOpenApiValidation = async (
  app: Express,
  { document, unknownFields, validateResponses }: OpenApiValidationOptions,
): Promise<{ route: RequestHandler; validate: RequestHandler[] }> => {
  const drops = unknownFields === 'drop';
  // A copy: the validator modifies the document, which is also published.
  const { document: apiSpec, formats } = replaceSchemaExtensions(document);
  const [initialise, findRoute, , ...validators] = openApiValidator.middleware({
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
  if (!initialise || !findRoute)
    throw new Error('express-openapi-validator no longer returns a list of middleware');
  await new Promise<void>((resolve, reject) => {
    const done = (error?: unknown) => (error ? reject(error) : resolve());
    initialise({ app } as never, {} as never, done);
  });

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
  return {
    route: await createRouteMatcher(findRoute, app, document),
    validate: [checkBefore, ...validators, checkAfter],
  };
};
