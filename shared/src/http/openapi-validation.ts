import type { Express, RequestHandler } from 'express';
import * as openApiValidator from 'express-openapi-validator';
import { type ErrorDetail, validationFailed } from '../errors/app-error.ts';
import { MAX_PASSWORD_BYTES } from '../passwords/password-hasher.ts';
import { rejectUndeclaredBody, requireBody } from './body-validation.ts';
import { getBasePath, listOperations, type OpenApiDocument } from './openapi-document.ts';
import { createRouteMatcher, findOperation } from './operation-router.ts';
import { unsupportedMediaType } from './validation-errors.ts';

type Options = {
  document: OpenApiDocument;
  /** 'drop' removes undeclared body fields and ignores undeclared query parameters; 'refuse' answers 400. */
  unknownFields: 'drop' | 'refuse';
  /** In tests and development: an answer that the document does not describe becomes a 500. */
  validateResponses: boolean;
};

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/i;

const FORMATS = {
  // The validator's own pattern lets urn:uuid:… through, which Postgres refuses.
  uuid: UUID,
  // Trimmed by whoever uses it; the length is that of what is left.
  search: {
    type: 'string' as const,
    validate: (term: string) => [...term.trim()].length <= 255,
  },
  // RFC 3339, with a zone; kept as text, whoever uses it makes a Date of it.
  instant: {
    type: 'string' as const,
    validate: (text: string) => INSTANT.test(text) && !Number.isNaN(Date.parse(text)),
  },
  'new-password': {
    type: 'string' as const,
    validate: (password: string) => Buffer.byteLength(password) <= MAX_PASSWORD_BYTES,
  },
};

/** A path that cannot be decoded names no route, so it is judged before the route is looked up. */
const rejectMalformedPath: RequestHandler = (req, _res, next) => {
  try {
    decodeURIComponent(req.path);
  } catch (error) {
    if (error instanceof URIError) throw validationFailed('The path is not properly encoded');
    throw error;
  }
  next();
};

/** The validator keeps one compiled schema for each type that an operation is asked with: let that be one. */
const setValidatorContentType: RequestHandler = (req, _res, next) => {
  const { headers } = req;
  if (!findOperation(req)?.requestBody) delete headers['content-type'];
  else if (headers['content-type'] === 'application/octet-stream') throw unsupportedMediaType();
  else headers['content-type'] = 'application/json';
  next();
};

/** The query parser drops names such as `x[__proto__]`, so that the validator never sees them. */
const rejectBracketedParameters: RequestHandler = ({ originalUrl }, _res, next) => {
  const [, query = ''] = originalUrl.split('?', 2);
  const bracketed = [...new URLSearchParams(query).keys()].filter((name) => name.includes('['));
  const details = bracketed.map((name) => ({ path: `/query/${name}`, message: 'is not declared' }));
  if (details.length > 0) throw validationFailed('The request breaks the contract', details);
  next();
};

const findNonFiniteNumbers = (values: unknown, path: string): ErrorDetail[] =>
  Object.entries(values ?? {})
    .filter(([, value]) => typeof value === 'number' && !Number.isFinite(value))
    .map(([name]) => ({ path: `${path}/${name}`, message: 'must be a finite number' }));

/** ajv converts `1e400` and `Infinity` to a number and then passes over its bounds, which are for finite ones. */
const rejectNonFiniteNumbers: RequestHandler = (req, _res, next) => {
  const details = [...findNonFiniteNumbers(req.query, '/query'), ...findNonFiniteNumbers(req.body, '/body')];
  if (details.length > 0) throw validationFailed('The request breaks the contract', details);
  next();
};

/**
 * The contract as middleware in two halves, so that the token is judged between them: `route` (404, 405) and
 * `validate` (400, 415, responses).
 * @throws what is wrong with the document
 */
export const createOpenApiValidation = async (
  app: Express,
  { document, unknownFields: undeclared, validateResponses }: Options,
) => {
  const drops = undeclared === 'drop';
  const [initialise, findRoute, , ...validators] = openApiValidator.middleware({
    // A copy: the validator rewrites what it is given, and the same document is published.
    apiSpec: structuredClone(document) as never,
    validateRequests: {
      allowUnknownQueryParameters: drops,
      coerceTypes: true,
      removeAdditional: drops,
      allErrors: true,
    },
    validateResponses: validateResponses ? { removeAdditional: false } : false,
    validateSecurity: false,
    fileUploader: false,
    formats: FORMATS,
  }) as unknown as RequestHandler[];
  if (!initialise || !findRoute)
    throw new Error('express-openapi-validator no longer returns its steps in turn');
  await new Promise<void>((resolve, reject) => {
    const done = (error?: unknown) => (error ? reject(error) : resolve());
    initialise({ app } as never, {} as never, done);
  });
  return {
    route: [
      rejectMalformedPath,
      await createRouteMatcher(findRoute, app, listOperations(document), getBasePath(document)),
    ],
    validate: [
      ...(drops ? [] : [rejectBracketedParameters, rejectUndeclaredBody]),
      setValidatorContentType,
      ...validators,
      requireBody,
      rejectNonFiniteNumbers,
    ],
  };
};
