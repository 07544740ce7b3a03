import type { IncomingMessage } from 'node:http';
import express, { type Request, type RequestHandler } from 'express';
import {
  BODY_LIMIT_BYTES,
  type ErrorDetail,
  escapeKey,
  unsupportedMediaType,
  validationFailed,
} from '../errors/app-error.ts';
import { hasBody, isDisconnected, rejectLargeBody } from '../http/request-body.ts';
import { parseUtf8MediaType, requireUtf8Body } from '../http/request-encoding.ts';

const OPTIONS = {
  limit: BODY_LIMIT_BYTES,
  verify: (req: IncomingMessage, _res: unknown, bytes: Buffer) => requireUtf8Body(req, bytes),
};
const PARSERS = {
  'application/json': express.json({ ...OPTIONS, strict: false }),
  'application/x-www-form-urlencoded': express.urlencoded({ ...OPTIONS, extended: false }),
};
/** The content encodings of the contract. body-parser also knows zstd. */
const CONTENT_ENCODINGS: ReadonlySet<string> = new Set(['', 'identity', 'gzip', 'deflate', 'br']);

type BodyType = keyof typeof PARSERS;

const getBodyType = ({ state: { operation } }: Request): BodyType =>
  operation?.schema.requestBody?.content?.['application/x-www-form-urlencoded']
    ? 'application/x-www-form-urlencoded'
    : 'application/json';

/**
 * Parses a body in UTF-8 whose media type is the operation's. Any other body stays undefined. If the client
 * has disconnected, no further middleware runs, because body-parser would skip the body, and the operation
 * would run without it.
 * @throws AppError 413
 */
export const parseBody: RequestHandler = (req, res, next) => {
  rejectLargeBody(req);
  const type = getBodyType(req);
  const given = parseUtf8MediaType(req.headers['content-type']);
  req.headers['content-type'] = given === type ? type : 'application/octet-stream';
  if (hasBody(req) && isDisconnected(req)) return;
  const { 'content-encoding': encoding = '' } = req.headers;
  if (hasBody(req) && !CONTENT_ENCODINGS.has(encoding.toLowerCase())) throw unsupportedMediaType();
  PARSERS[type](req, res, next);
};

/** Deeper than any declared body. Code that walks a body is recursive, so the depth must be limited. */
const MAX_DEPTH = 32;

const findUnstorable = (value: unknown, path: string, depth = 0): ErrorDetail | undefined => {
  if (typeof value === 'string') {
    if (value.includes('\0')) return { path, message: 'must not contain NUL', rule: 'unstorable' };
    return value.isWellFormed()
      ? undefined
      : { path, message: 'must be well-formed Unicode', rule: 'unstorable' };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === MAX_DEPTH) return { path, message: 'must not be nested so deep', rule: 'too-deep' };
  for (const [key, inner] of Object.entries(value)) {
    const found = findUnstorable(inner, `${path}/${escapeKey(key)}`, depth + 1);
    if (found) return found;
  }
  return undefined;
};

/**
 * Postgres text cannot store NUL or a lone surrogate.
 * @throws AppError 400
 */
export const rejectUnstorableText: RequestHandler = (req, _res, next) => {
  const detail =
    findUnstorable(req.body, '/body') ??
    (req.url.includes('%00') ? findUnstorable(req.query, '/query') : undefined);
  if (detail) throw validationFailed('The request breaks the contract', [detail]);
  next();
};

/**
 * The validator ignores the body of an operation that declares none, such as GET, so reject it here. An empty
 * object counts as no body.
 * @throws AppError 400, 415
 */
export const rejectUndeclaredBody = (req: Request): void => {
  if (!hasBody(req) || req.state.operation?.schema.requestBody) return;
  const body: unknown = req.body;
  if (body === undefined) throw unsupportedMediaType();
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  const undeclared = isObject ? Object.keys(body).map((field) => `/body/${escapeKey(field)}`) : ['/body'];
  const details = undeclared.map((path) => ({
    path,
    message: 'must NOT be sent',
    rule: 'additionalProperties',
  }));
  if (details.length > 0) throw validationFailed('The request breaks the contract', details);
};

/**
 * The validator treats a missing required body as `{}`, which is valid if every field is optional. @throws
 * AppError 400
 */
export const requireBody = (req: Request): void => {
  if (req.state.operation?.schema.requestBody?.required && !hasBody(req))
    throw validationFailed('The request has no body');
};

/**
 * express-openapi-validator compiles and caches a validator for each value of Content-Type, including the
 * parameters. A client could thereby exhaust the memory, so the validator only sees the media type of the
 * operation or none.
 * @throws AppError 415
 */
export const setValidatorContentType = (req: Request): void => {
  const { headers } = req;
  if (!req.state.operation?.schema.requestBody) delete headers['content-type'];
  // A missing body is a validation error (400) and not an unsupported media type.
  else if (hasBody(req) && headers['content-type'] !== getBodyType(req))
    throw unsupportedMediaType(getBodyType(req));
  else headers['content-type'] = getBodyType(req);
};
