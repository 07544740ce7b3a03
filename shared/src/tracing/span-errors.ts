import { type Attributes, type Span, SpanStatusCode } from '@opentelemetry/api';

/** Codes such as SQLSTATE, ECONNREFUSED and SERVICE_UNAVAILABLE, which cannot contain input. */
const CODE = /^[A-Z0-9_]{2,40}$/;
const CLASS_NAME = /^[\w$]{1,60}$/;

/** Returns the code or the class of an error, but never its message, which may contain user input. */
export const getErrorType = (error: unknown): string => {
  if (!(error instanceof Error)) return typeof error;
  if ('code' in error && typeof error.code === 'string' && CODE.test(error.code)) return error.code;
  // The `name` of a pg or node-redis error is just "error".
  const { name } = error.constructor;
  return CLASS_NAME.test(name) ? name : 'Error';
};

/** Records only the type, because an error message may contain user input. */
export const setSpanError = (span: Span, errorType: string, details: Attributes = {}): void => {
  span.setAttributes({ ...details, 'error.type': errorType });
  span.setStatus({ code: SpanStatusCode.ERROR });
};

const getRootCause = (error: unknown): unknown => {
  let root = error;
  for (let depth = 0; depth < 5 && root instanceof Error && root.cause instanceof Error; depth += 1)
    root = root.cause;
  return root;
};

/**
 * Records an exception event with its type only. The log contains the message and stack, with the trace id.
 */
export const recordException = (span: Span, error: unknown): void => {
  span.addEvent('exception', { 'exception.type': getErrorType(getRootCause(error)) });
};
