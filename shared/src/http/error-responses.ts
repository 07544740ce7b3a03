import { STATUS_CODES } from 'node:http';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { AppError, routeNotFound, validationFailed } from '../errors/app-error.ts';
import type { Log } from '../log/log.ts';

export const toErrorBody = ({ status, code, message, details, fields }: AppError, requestId: string) => ({
  statusCode: status,
  error: STATUS_CODES[status] ?? 'Error',
  code,
  message,
  requestId,
  ...fields,
  ...(details && { details }),
});

/**
 * Whether Postgres rejects a value (NUL, a malformed or out-of-range number, time or UUID), which is an error
 * of the client.
 */
const isRejectedByPostgres = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['22003', '22008', '22021', '22P02', '22P05'].includes(String(error.code));

/** The header that tells the gateway the error code for its access log. The gateway removes it. */
export const ERROR_CODE_HEADER = 'X-Error-Code';

/** Translates an error of a library. Returns undefined for an unknown error. */
type TranslateError = (error: unknown) => AppError | undefined;

const toAppError = (error: unknown, translate: TranslateError): AppError => {
  if (error instanceof AppError) return error;
  if (isRejectedByPostgres(error)) return validationFailed('A value cannot be stored');
  return translate(error) ?? new AppError('INTERNAL_ERROR', 500, 'Internal error', { cause: error });
};

type SendError = (error: AppError, req: Request, res: Response) => void;

export const sendErrorBody: SendError = (error, req, res) => {
  res.json(toErrorBody(error, req.state.requestId));
};

type ErrorHandlerOptions = {
  translate?: TranslateError;
  /** Whether the gateway forwards the responses, and takes the code from a header. */
  isBehindGateway?: boolean;
  /** Sends the body, with status and headers that are set. */
  send?: SendError;
};

/** Writes every error response. The cause of a 5xx is logged and never sent. */
export const createErrorHandler =
  (
    log: Log,
    { translate = () => undefined, isBehindGateway = false, send = sendErrorBody }: ErrorHandlerOptions = {},
  ): ErrorRequestHandler =>
  (error, req, res, _next) => {
    const appError = toAppError(error, translate);
    const { code, status, cause: exception = appError } = appError;
    const { state } = req;
    state.error = status >= 500 ? { code, exception } : { code };
    if (status >= 500)
      log.error(
        {
          err: exception,
          requestId: state.requestId,
          traceId: state.trace?.traceId,
          operation: state.publicOperation?.id,
        },
        appError.message,
      );
    if (res.headersSent) {
      // Part of the response has been sent, so only closing the connection tells the client that it is
      // incomplete.
      req.socket.destroy();
      return;
    }
    if (isBehindGateway) res.set(ERROR_CODE_HEADER, code);
    send(appError, req, res.status(appError.status).set(appError.headers));
  };

export const rejectUnknownRoute: RequestHandler = () => {
  throw routeNotFound();
};

export const rejectMethod = (...allowed: string[]): RequestHandler => {
  const headers = { Allow: allowed.join(', ') };
  return () => {
    throw new AppError('METHOD_NOT_ALLOWED', 405, 'The path does not support this method', { headers });
  };
};
