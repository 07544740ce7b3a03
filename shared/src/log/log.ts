import { type DestinationStream, type Logger, pino } from 'pino';
import { currentTrace } from '../tracing/tracing.ts';

export type Log = Logger;

/** Wherever a caller's secret could slip into a logged object. */
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
 * Lines are written together: a write for each is a twentieth of what a request costs. A process that ends by itself
 * writes the rest; only one that is killed loses what it said in its last tenth of a second.
 */
const createOutput = () => {
  const output = pino.destination({ dest: 1, sync: true, minLength: 4_096, periodicFlush: 100 });
  // flushSync() would try again and again, for ever, once the reader of standard output is gone.
  process.once('exit', () => output.flush());
  return output;
};

const NO_TRACE: { traceId?: string } = {};

/** JSON lines on standard output; `level` is one of pino's, `silent` included. Work within a trace says so. */
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
