import { error as contract } from 'express-openapi-validator';
import {
  type AppError,
  bodyTooLarge,
  type ErrorDetail,
  unsupportedMediaType,
  validationFailed,
} from '../errors/app-error.ts';

/** An error of one field; `errorCode` is `<keyword>.openapi.validation`, or missing for query parameters. */
type FieldError = { path: string; message: string; errorCode?: string };
type ValidatorError = { status: number; errors?: FieldError[] };

const isValidatorError = (error: unknown): error is Error & ValidatorError =>
  Object.values(contract).some((kind) => error instanceof kind);

/** Only body-parser's errors have a `type`. */
const isBodyParserError = (error: unknown): error is Error & { type: string; status: number } =>
  error instanceof Error && 'type' in error && 'status' in error && typeof error.type === 'string';

/** Errors of zlib for a body that does not match its Content-Encoding: gzip and deflate, Brotli, Zstandard. */
const isDecompressionError = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  /^(Z_(DATA|BUF)_ERROR|Z_NEED_DICT|ERR__ERROR_FORMAT|ZSTD_error_)/.test(String(error.code));

const getNumber = (message: string) => ({ limit: Number(/-?[\d.]+/.exec(message)?.[0]) });
const getQuoted = (message: string) => /"(.*)"$/s.exec(message)?.[1];
const getLast = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** The parameters of a keyword, which the validator hands over only as a part of ajv's message. */
const PARAMS: Readonly<Record<string, (error: FieldError) => Record<string, unknown>>> = {
  minLength: ({ message }) => getNumber(message),
  maxLength: ({ message }) => getNumber(message),
  maxItems: ({ message }) => getNumber(message),
  minimum: ({ message }) => getNumber(message),
  maximum: ({ message }) => getNumber(message),
  format: ({ message }) => ({ format: getQuoted(message) }),
  pattern: ({ message }) => ({ pattern: getQuoted(message) }),
  type: ({ message }) => ({ type: message.replace('must be ', '').split(',') }),
  enum: ({ message }) => ({ allowedValues: message.slice(message.indexOf(': ') + 2).split(', ') }),
  additionalProperties: ({ path }) => ({ additionalProperty: getLast(path) }),
  required: ({ path }) => ({ missingProperty: getLast(path) }),
};

const BLANK = 'must match pattern "[^\\s';

const toDetail = (error: FieldError): ErrorDetail => {
  const { path, message, errorCode } = error;
  const rule =
    errorCode?.split('.', 1)[0] ?? (message.startsWith('Empty') ? 'empty' : 'additionalProperties');
  // Nobody could read the pattern for a visible character.
  if (message.startsWith(BLANK)) return { path, message: 'must have a visible character', rule: 'blank' };
  // A limit of toFormat in openapi-validation.ts.
  const limit = /"at most (\d+) (bytes|characters)"$/.exec(message);
  if (limit)
    return {
      path,
      message,
      rule: limit[2] === 'bytes' ? 'max-bytes' : 'maxLength',
      params: { limit: Number(limit[1]) },
    };
  const params = PARAMS[rule]?.(error);
  return { path, message, rule, ...(params && { params }) };
};

const toDetails = (errors: FieldError[] | undefined): ErrorDetail[] | undefined => {
  const details = errors
    ?.filter(({ path }) => /^\/(body|query|params|headers)(\/|$)/.test(path))
    .map(toDetail);
  return details && details.length > 0 ? details : undefined;
};

const fromBodyParser = (error: Error & { type: string; status: number }): AppError | undefined => {
  if (error.type === 'entity.too.large') return bodyTooLarge();
  if (error.status === 415) return unsupportedMediaType();
  if (error.status < 500) return validationFailed('The body is not valid JSON');
  return undefined;
};

/** Translates errors of the OpenAPI validator and the body parser; undefined for other errors. */
export const translateValidationError = (error: unknown): AppError | undefined => {
  if (isBodyParserError(error)) return fromBodyParser(error);
  if (isDecompressionError(error)) return validationFailed('The body cannot be decompressed');
  // Thrown by the router for a path such as /users/%zz.
  if (error instanceof URIError) return validationFailed('The path is not properly encoded');
  if (!isValidatorError(error)) return undefined;
  switch (error.status) {
    case 413:
      return bodyTooLarge();
    case 415:
      return unsupportedMediaType();
    case 400:
      return validationFailed('The request breaks the contract', toDetails(error.errors));
    default:
      return undefined;
  }
};
