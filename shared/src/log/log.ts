import { type DestinationStream, type Logger, pino } from 'pino';
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
];

/**
 * Lines are buffered: one write per line takes a twentieth of a request's CPU time. The buffer is flushed at exit; a
 * killed process loses at most the last 100 ms.
 */
const createOutput = () => {
  const output = pino.destination({ dest: 1, sync: true, minLength: 4_096, periodicFlush: 100 });
  // flushSync() would retry forever when the reader of standard output is gone.
  process.once('exit', () => output.flush());
  return output;
};

const NO_TRACE: { traceId?: string } = {};

/** JSON lines on standard output, with the current trace id. `level` is one of pino's, or `silent`. */
export const createLog = (
  { service, level }: { service: string; level: string },
  output: DestinationStream = createOutput(),
): Log =>
  pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
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
