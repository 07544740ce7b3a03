import type { RequestHandler } from 'express';
import { validationFailed } from '../errors/app-error.ts';
import { unsupportedMediaType } from './contract-errors.ts';
import { hasBody } from './json-body.ts';
import { findOperation } from './routing.ts';

/** The validator looks at no body where the document declares none, as for GET. An empty object is as good as none. */
export const refuseUndeclaredBody: RequestHandler = (req, _res, next) => {
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
export const refuseBodiless: RequestHandler = (req, _res, next) => {
  if (findOperation(req)?.requestBody?.required && !hasBody(req))
    throw validationFailed('The request has no body');
  next();
};
