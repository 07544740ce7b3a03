import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import { getErrorType } from '../tracing/span-errors.ts';
import { currentTrace } from '../tracing/tracing.ts';

export type Log = Logger;

/** Redacted in logged objects, up to two levels deep. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'currentPassword',
  'newPassword',
  'token',
  'code',
  // Fields of a Postgres error that contain the row or the parameters.
  'detail',
  'where',
];

/** Logs redact every field `code`, which may be a mailed code, so error codes such as ECONNREFUSED get another name. */
const serializeError = (error: unknown): unknown =>
  error instanceof Error ? { ...stdSerializers.err(error), errorType: getErrorType(error) } : error;

/** The lines that wait while standard output cannot be written. Later ones are dropped. */
const MAX_WAITING_BYTES = 1_048_576;

/**
 * Standard output, which all logs of a process share. Lines are buffered, because one write per line takes a
 * twentieth of a request's CPU time. The buffer is flushed at exit; a killed process loses at most the last
 * 100 ms. On a full disk, the lines wait, and each flush tries again. `drop` is emitted for each line that is
 * lost.
 */
export const logOutput = pino.destination({
  dest: 1,
  sync: true,
  minLength: 8_192,
  maxLength: MAX_WAITING_BYTES,
  periodicFlush: 100,
});
// Without a listener, the error would end the process.
logOutput.on('error', () => undefined);
// flushSync() would retry forever if the reader of standard output is gone.
process.once('exit', () => logOutput.flush());

const NO_TRACE: { traceId?: string } = {};

/**
 * Writes JSON lines to standard output, with the current trace id. `level` is one of pino's levels, or
 * `silent`.
 */
export const createLog = (
  { service, level }: { service: string; level: string },
  output: DestinationStream = logOutput,
): Log =>
  pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: serializeError },
      formatters: { level: (label) => ({ level: label }) },
      mixin: () => currentTrace() ?? NO_TRACE,
      mixinMergeStrategy: (line, { traceId }: { traceId?: string }) =>
        traceId === undefined || 'traceId' in line ? line : { ...line, traceId },
      redact: {
        paths: SECRET_FIELDS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
        remove: true,
      },
    },
    output,
  );
