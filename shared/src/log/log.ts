import { type Logger, pino } from 'pino';

export type Log = Logger;

/** Wherever a caller's secret could slip into a logged object. */
const SECRETS = [
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'currentPassword',
  'newPassword',
  'token',
  'code',
];

/** JSON lines on standard output; `level` is one of pino's, `silent` included. */
export const createLog = ({ service, level }: { service: string; level: string }): Log =>
  pino({
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
      remove: true,
    },
  });
