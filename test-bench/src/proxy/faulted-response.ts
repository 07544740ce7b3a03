import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@platform/shared/errors/app-error';
import type { FaultResponse } from '../faults/faults-service.ts';
import { sendError } from './error-response.ts';
import type { Forwarding } from './forward.ts';
import { type RawHeaders, toClientHeaders, without } from './raw-headers.ts';

type Exchange = { req: IncomingMessage; res: ServerResponse; headers: RawHeaders };

/** The gateway serves nothing there. */
const UNKNOWN_PATH = '/test-bench-fault';

const isOfBody = (name: string): boolean =>
  /^(?:content-(?:type|length|encoding|language)|transfer-encoding|etag)$/.test(name);
/** `sendError` sets these itself, and Node the date. */
const isOfError = (name: string): boolean =>
  isOfBody(name) || /^(?:cache-control|x-request-id|x-test-bench|date)$/.test(name);

/**
 * Responds instead of the platform. The other headers are those of the gateway's 404 to a request without the
 * body, because browsers show a response to a page only with the headers of CORS, and clients expect rate limits.
 */
export const respondWithFault = (
  { send }: Forwarding,
  { req, res, headers }: Exchange,
  { status, code, retryAfter }: FaultResponse,
): void => {
  const error = new AppError(code, status, 'A fault of the test bench', {
    headers: {
      ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
      ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
    },
  });
  send(
    { method: 'GET', path: UNKNOWN_PATH, headers: without(headers, isOfBody) },
    {
      onResponse: (response) => {
        response.resume();
        sendError(req, res, error, without(toClientHeaders(response, true), isOfError));
      },
      onError: (failure) => sendError(req, res, failure),
    },
  );
};

/** Lets the platform complete the request, and ends the connection instead of responding. */
export const loseResponse = ({ send }: Forwarding, { req, headers }: Exchange): void => {
  const { method = '', url = '', socket } = req;
  send(
    { method, path: url, headers, body: req },
    {
      onResponse: (response) => response.resume().once('close', () => socket.destroy()),
      onError: () => socket.destroy(),
    },
  );
};
