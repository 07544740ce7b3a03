import express, { type Request, type RequestHandler } from 'express';
import { bodyTooLarge, type ErrorDetail, validationFailed } from '../errors/app-error.ts';
import { findOperation } from './operation-router.ts';
import { unsupportedMediaType } from './validation-errors.ts';

export const BODY_LIMIT_BYTES = 102_400;

const JSON_TYPE = /^application\/json\s*(;|$)/i;
const METHODS_WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE']);

export const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * express-openapi-validator compiles and keeps a validator for every Content-Type it meets, parameters included, so a
 * caller could fill the memory: only two values get through.
 */
export const normaliseContentType: RequestHandler = (req, _res, next) => {
  const { headers, method } = req;
  if (hasBody(req)) {
    const isJson = JSON_TYPE.test(headers['content-type'] ?? '');
    headers['content-type'] = isJson ? 'application/json' : 'application/octet-stream';
  } else if (METHODS_WITHOUT_BODY.has(method)) {
    delete headers['content-type'];
  } else {
    // No body where one may be required breaks the contract (400); it is not of a wrong type (415).
    headers['content-type'] = 'application/json';
  }
  next();
};

/**
 * Refuses a body by its declared length, without waiting for it: a client that sent `Expect` waits for this response.
 * @throws AppError 413
 */
export const rejectLargeBody: RequestHandler = ({ headers }, _res, next) => {
  if (Number(headers['content-length'] ?? 0) > BODY_LIMIT_BYTES) throw bodyTooLarge();
  next();
};

export const parseJsonBody = express.json({ limit: BODY_LIMIT_BYTES, strict: false });

/** Deeper than any body that the platform declares; a limit, because whatever walks a body does so by recursion. */
const MAX_DEPTH = 32;

const findUnstorable = (
  value: unknown,
  path: string,
  isNullRefused: boolean,
  depth = 0,
): ErrorDetail | undefined => {
  if (value === null && isNullRefused) return { path, message: 'must not be null' };
  if (typeof value === 'string') {
    if (value.includes('\0')) return { path, message: 'must not contain NUL' };
    return value.isWellFormed() ? undefined : { path, message: 'must be well-formed Unicode' };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === MAX_DEPTH) return { path, message: 'must not be nested so deep' };
  for (const [key, inner] of Object.entries(value)) {
    const found = findUnstorable(inner, `${path}/${key}`, isNullRefused, depth + 1);
    if (found) return found;
  }
  return undefined;
};

/**
 * Postgres cannot store NUL or a lone surrogate in a text; and null, which the conversion to the declared type would make an empty text, is
 * not a value. Where undeclared fields are dropped they may be null, and the contract's lengths refuse the rest.
 */
export const rejectUnstorableText =
  ({ isNullRefused }: { isNullRefused: boolean }): RequestHandler =>
  (req, _res, next) => {
    const detail =
      findUnstorable(req.body, '/body', isNullRefused) ??
      (req.url.includes('%00') ? findUnstorable(req.query, '/query', false) : undefined);
    if (detail) throw validationFailed('The request breaks the contract', [detail]);
    next();
  };

/** The validator looks at no body where the document declares none, as for GET. An empty object is as good as none. */
export const rejectUndeclaredBody: RequestHandler = (req, _res, next) => {
  if (!hasBody(req) || findOperation(req)?.requestBody) return next();
  const body: unknown = req.body;
  if (body === undefined) throw unsupportedMediaType();
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  const undeclared = isObject ? Object.keys(body).map((field) => `/body/${field}`) : ['/body'];
  const details = undeclared.map((path) => ({ path, message: 'must NOT be sent' }));
  if (details.length > 0) throw validationFailed('The request breaks the contract', details);
  next();
};

/** The validator takes a required body that is missing for an empty object, which may be right where all is optional. */
export const requireBody: RequestHandler = (req, _res, next) => {
  if (findOperation(req)?.requestBody?.required && !hasBody(req))
    throw validationFailed('The request has no body');
  next();
};
