import { error as contract } from 'express-openapi-validator';
import {
  type AppError,
  bodyTooLarge,
  type ErrorDetail,
  unsupportedMediaType,
  validationFailed,
} from '../errors/app-error.ts';

/** The details are created by openapi-validator-adapter.ts. */
type ValidatorError = { status: number; errors: ErrorDetail[] };

const isValidatorError = (error: unknown): error is Error & ValidatorError =>
  Object.values(contract).some((kind) => error instanceof kind);

/** Only errors of body-parser have a `type`. */
const isBodyParserError = (error: unknown): error is Error & { type: string; status: number } =>
  error instanceof Error && 'type' in error && 'status' in error && typeof error.type === 'string';

/**
 * Whether zlib reports a body that does not match its Content-Encoding: gzip and deflate, Brotli, Zstandard.
 */
const isDecompressionError = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  /^(Z_(DATA|BUF)_ERROR|Z_NEED_DICT|ERR__ERROR_FORMAT|ZSTD_error_)/.test(String(error.code));

const fromBodyParser = (error: Error & { type: string; status: number }): AppError | undefined => {
  if (error.type === 'entity.too.large') return bodyTooLarge();
  if (error.status === 415) return unsupportedMediaType();
  if (error.type === 'entity.verify.failed')
    return validationFailed('The body is not UTF-8, or begins with a byte order mark');
  if (error.status < 500) return validationFailed('The body is not valid JSON');
  return undefined;
};

/** Translates errors of the OpenAPI validator and the body parser. Returns undefined for other errors. */
export const translateValidationError = (error: unknown): AppError | undefined => {
  if (isBodyParserError(error)) return fromBodyParser(error);
  if (isDecompressionError(error)) return validationFailed('The body cannot be decompressed');
  if (!isValidatorError(error)) return undefined;
  switch (error.status) {
    case 413:
      return bodyTooLarge();
    case 415:
      return unsupportedMediaType();
    case 400:
      return validationFailed('The request breaks the contract', error.errors);
    default:
      return undefined;
  }
};
