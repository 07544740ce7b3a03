/**
 * An invalid field, such as `{ path: '/body/code', message: 'must match pattern "…"', rule: 'pattern',
 * params: { pattern: '…' } }`. `rule` and `params` are sufficient to show the message in another language;
 * openapi/codes.yaml lists the rules.
 */
export type ErrorDetail = {
  path: string;
  message: string;
  rule: string;
  params?: Record<string, unknown>;
};

/** Escapes a key in the path of an ErrorDetail as in RFC 6901: `a/b` becomes `a~1b`. */
export const escapeKey = (key: string): string =>
  /[~/]/.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key;

type Extras = {
  details?: ErrorDetail[];
  fields?: Record<string, unknown>;
  headers?: Record<string, string>;
  cause?: unknown;
};

/** An error response. Everything except `cause` is sent to the client. */
export class AppError extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: ErrorDetail[] | undefined;
  readonly fields: Record<string, unknown> | undefined;
  readonly headers: Record<string, string>;

  constructor(code: string, status: number, message: string, extras: Extras = {}) {
    const { details, fields, headers, cause } = extras;
    super(message, { cause });
    this.name = 'AppError';
    this.code = code;
    this.status = status;
    this.details = details;
    this.fields = fields;
    this.headers = headers ?? {};
  }
}

export const badRequest = (code: string, message: string) => new AppError(code, 400, message);
export const validationFailed = (message: string, details?: ErrorDetail[]) =>
  new AppError('VALIDATION_FAILED', 400, message, details ? { details } : {});
/** RFC 9110, 11.6.1: every 401 has a challenge. */
export const unauthorized = (code: string, message: string, fields?: Record<string, unknown>) =>
  new AppError(code, 401, message, { headers: { 'WWW-Authenticate': 'Bearer' }, ...(fields && { fields }) });
/** @param wanted the token that the operation takes */
export const tokenInvalid = (wanted: 'access' | 'refresh' = 'access') =>
  unauthorized('TOKEN_INVALID', `The ${wanted} token is missing, expired or not valid here`);
/** Wrong, replayed and expired proofs get the same error. */
export const secondFactorInvalid = () =>
  unauthorized('SECOND_FACTOR_INVALID', 'The second factor is wrong or no longer valid');
export const userBlocked = () => unauthorized('USER_BLOCKED', 'The user is blocked');
export const forbidden = (code: string, message: string, fields?: Record<string, unknown>) =>
  new AppError(code, 403, message, fields ? { fields } : {});
export const notFound = (code: string, message: string) => new AppError(code, 404, message);
export const routeNotFound = () => notFound('ROUTE_NOT_FOUND', 'There is no such route');
export const conflict = (code: string, message: string, fields?: Record<string, unknown>) =>
  new AppError(code, 409, message, fields ? { fields } : {});
export const BODY_LIMIT_BYTES = 102_400;
export const bodyTooLarge = () =>
  new AppError('BODY_TOO_LARGE', 413, `The body is larger than ${BODY_LIMIT_BYTES} bytes`);
export const unsupportedMediaType = (type = 'application/json') =>
  new AppError('UNSUPPORTED_MEDIA_TYPE', 415, `The body must be ${type} in UTF-8`);
export const tooManyRequests = (code: string, message: string, retryAfterSeconds: number) =>
  new AppError(code, 429, message, { headers: { 'Retry-After': String(retryAfterSeconds) } });
/** A dependency is unavailable. `cause` is logged and never sent. */
export const unavailable = (message: string, cause?: unknown, retryAfterSeconds = 1) =>
  new AppError('SERVICE_UNAVAILABLE', 503, message, {
    headers: { 'Retry-After': String(retryAfterSeconds) },
    cause,
  });
