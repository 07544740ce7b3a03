import { type Attributes, type Span, SpanStatusCode } from '@opentelemetry/api';

/** SQLSTATE, ECONNREFUSED, SERVICE_UNAVAILABLE: none of them can contain input. */
const CODE = /^[A-Z0-9_]{2,40}$/;
const CLASS_NAME = /^[\w$]{1,60}$/;

/** The code of an error, or else its class: never its message, which may contain user input. */
export const getErrorType = (error: unknown): string => {
  if (!(error instanceof Error)) return typeof error;
  if ('code' in error && typeof error.code === 'string' && CODE.test(error.code)) return error.code;
  // `name` of an error of pg or node-redis is just "error".
  const { name } = error.constructor;
  return CLASS_NAME.test(name) ? name : 'Error';
};

/** Only the type: an error message may contain user input. */
export const setSpanError = (span: Span, errorType: string, details: Attributes = {}): void => {
  span.setAttributes({ ...details, 'error.type': errorType });
  span.setStatus({ code: SpanStatusCode.ERROR });
};

/** What V8 and Node put in front of the message: `TypeError [ERR_INVALID_URL]: `. */
const STACK_PREFIX = /^[\w$.]*(?: \[\w+\])?(?:: )?$/;
const FRAMES = /^(?:\n {4}at .*)+$/;

/**
 * The stack trace without the message. Undefined unless the message is found where V8 puts it: a library may have changed the
 * message since, and then nothing separates the original one, which may have several lines, from the frames.
 */
const getStackFrames = ({ stack = '', message }: Error): string | undefined => {
  const start = message === '' ? stack.search(/\n|$/) : stack.indexOf(message);
  if (start === -1 || !STACK_PREFIX.test(stack.slice(0, start))) return undefined;
  const frames = stack.slice(start + message.length);
  return FRAMES.test(frames) ? frames.slice(1) : undefined;
};

/** The error that a chain of causes began with. */
const getRootCause = (error: unknown): unknown => {
  let root = error;
  for (let depth = 0; depth < 5 && root instanceof Error && root.cause instanceof Error; depth += 1)
    root = root.cause;
  return root;
};

/** Records an exception event as in the semantic conventions, but without `exception.message`. */
export const recordException = (span: Span, error: unknown): void => {
  const cause = getRootCause(error);
  const frames = cause instanceof Error ? getStackFrames(cause) : undefined;
  span.addEvent('exception', {
    'exception.type': getErrorType(cause),
    ...(frames !== undefined && { 'exception.stacktrace': frames }),
  });
};
