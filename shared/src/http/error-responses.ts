import { STATUS_CODES } from 'node:http';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { AppError, notFound, validationFailed } from '../errors/app-error.ts';
import type { Log } from '../log/log.ts';

/** The one error body of the platform. */
export const toErrorBody = ({ status, code, message, details }: AppError, requestId: string) => ({
  statusCode: status,
  error: STATUS_CODES[status] ?? 'Error',
  code,
  message,
  requestId,
  ...(details && { details }),
});

/** A value of the caller's that Postgres cannot hold (NUL, a number or UUID out of range): theirs to mend, not a fault. */
const isRejectedByPostgres = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['22021', '22P02', '22003', '22P05'].includes(String(error.code));

/** Puts an error of a library into the platform's words; undefined for one that it does not know. */
export type TranslateError = (error: unknown) => AppError | undefined;

const toAppError = (error: unknown, translate: TranslateError): AppError => {
  if (error instanceof AppError) return error;
  if (isRejectedByPostgres(error)) return validationFailed('A value cannot be stored');
  return (
    translate(error) ?? new AppError('INTERNAL_ERROR', 500, 'Something went wrong here', { cause: error })
  );
};

/** The only writer of error responses. What a 5xx was caused by is logged and never sent. */
export const createErrorHandler =
  (log: Log, translate: TranslateError = () => undefined): ErrorRequestHandler =>
  (error, req, res, _next) => {
    const answer = toAppError(error, translate);
    if (answer.status >= 500)
      log.error(
        { err: answer.cause ?? answer, requestId: req.requestId, traceId: req.trace?.traceId },
        answer.message,
      );
    if (res.headersSent) {
      // Half an answer is out: cutting the connection is the only way to say that it is not whole.
      req.socket.destroy();
      return;
    }
    res.status(answer.status).set(answer.headers).json(toErrorBody(answer, req.requestId));
  };

export const routeNotFound: RequestHandler = () => {
  throw notFound('ROUTE_NOT_FOUND', 'There is no such route');
};
