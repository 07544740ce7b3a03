import { AppError, type ErrorDetail, validationFailed } from '@platform/shared/errors/app-error';
import type { OpenApiDocument } from '@platform/shared/http/openapi-document';
import { listExamples } from '@platform/shared/http/schema-example';
import type { RequestHandler } from 'express';
import { getMedia, listMockOperations, type MockOperation } from './mock-document.ts';

type ErrorExample = { code: string; message: string; details?: ErrorDetail[] } & Record<string, unknown>;

/** The codes of the statuses that every operation may return, documented as `default`. */
const GENERAL_CODES: Record<number, string> = {
  400: 'VALIDATION_FAILED',
  403: 'SECOND_FACTOR_ENROLMENT_REQUIRED',
  404: 'ROUTE_NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  408: 'REQUEST_TIMEOUT',
  413: 'BODY_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  431: 'HEADERS_TOO_LARGE',
  500: 'INTERNAL_ERROR',
  502: 'UPSTREAM_UNAVAILABLE',
  503: 'SERVICE_UNAVAILABLE',
  504: 'UPSTREAM_TIMEOUT',
};
/** Of the responses that need a header. */
const HEADERS: Record<number, Record<string, string>> = {
  401: { 'WWW-Authenticate': 'Bearer' },
  405: { Allow: 'GET, POST, PATCH, DELETE' },
  429: { 'Retry-After': '1' },
  503: { 'Retry-After': '1' },
};

/** RFC 7240: `Prefer: code=401, example=blocked`. */
const parsePrefer = (header = '') => {
  const find = (name: string) => new RegExp(`(?:^|[,;\\s])${name}="?([\\w-]+)`).exec(header)?.[1];
  const code = find('code');
  return { code: code === undefined ? undefined : Number(code), example: find('example') };
};

type Example = [name: string, body: ErrorExample];

const listOf = (document: OpenApiDocument, operation: MockOperation, status: number | string): Example[] => {
  const media = getMedia(operation.responses[status]);
  return media ? (listExamples(document, media) as Example[]) : [];
};

const isNamed =
  (name: string) =>
  ([key, body]: Example): boolean =>
    key === name || body.code === name;

/** @throws AppError 400 that lists what the operation has */
const rejectUnknown = (preference: string, available: readonly string[]): never => {
  const values = [...new Set(available)].filter((value) => value !== 'default');
  throw validationFailed(`Prefer: the operation has no ${preference}; available: ${values.join(', ')}`);
};

/** The status that has the example, where the header names the example alone. */
const findStatus = (document: OpenApiDocument, operation: MockOperation, name: string): number => {
  const statuses = Object.keys(operation.responses).filter((status) => status !== 'default');
  const found = statuses.find((status) => listOf(document, operation, status).some(isNamed(name)));
  const examples = statuses.flatMap((status) => listOf(document, operation, status));
  return Number(found ?? rejectUnknown(`example ${name}`, examples.map(toName)));
};

const toName = ([key, body]: Example): string => (key === 'default' ? (body.code ?? key) : key);

const findExample = (
  document: OpenApiDocument,
  operation: MockOperation,
  status: number,
  name: string | undefined,
): ErrorExample => {
  const examples = listOf(document, operation, status);
  const [, found] = (name === undefined ? examples[0] : examples.find(isNamed(name))) ?? [];
  if (found) return found;
  if (name !== undefined && examples.length > 0)
    return rejectUnknown(`example ${name}`, examples.map(toName));
  const code = GENERAL_CODES[status];
  if (code) return { code, message: 'As requested by the Prefer header' };
  return rejectUnknown(`status ${status}`, [
    ...Object.keys(operation.responses),
    ...Object.keys(GENERAL_CODES),
  ]);
};

/** Responds as the Prefer header names; without it, or with a success that has no such example, the operation responds. */
export const createPreferredResponse = (document: OpenApiDocument): RequestHandler => {
  const operations = new Map(listMockOperations(document).map((item) => [item.operationId, item]));
  return (req, res, next) => {
    const { code, example } = parsePrefer(req.get('Prefer'));
    const operation = operations.get(req.openapi?.schema?.operationId ?? '');
    if (!operation || (code === undefined && example === undefined)) return next();
    const status = code ?? findStatus(document, operation, example ?? '');
    const isSuccess = status < 400 && operation.responses[status] !== undefined;
    if (isSuccess && example === undefined) return next();
    const body = findExample(document, operation, status, example);
    res.setHeader('Preference-Applied', `code=${status}`);
    if (isSuccess) return void res.status(status).json(body);
    const {
      statusCode: _status,
      error: _error,
      requestId: _id,
      code: name,
      message,
      details,
      ...fields
    } = body;
    const extras = { headers: HEADERS[status] ?? {}, fields, ...(details && { details }) };
    throw new AppError(name, status, message, extras);
  };
};
