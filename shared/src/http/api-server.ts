import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, validationFailed } from '../errors/app-error.ts';
import type { Log } from '../log/log.ts';
import { toErrorBody } from './error-responses.ts';

const OPTIONS = {
  // Longer than the gateway keeps an idle connection, so that it never reuses one that is being closed.
  keepAliveTimeout: 65_000,
  headersTimeout: 20_000,
  requestTimeout: 30_000,
  // Node looks every 30 s, which would make a minute of the 20 s.
  connectionsCheckingInterval: 5_000,
  // Node would answer it without a body; the gateway refuses it with one.
  requireHostHeader: false,
};

/** Node's own limit, which a request line counts towards. */
const HEADERS_KIB = 16;
/** For a service: the gateway adds headers to what it lets through, and one of them repeats the host. */
export const HEADERS_KIB_BEHIND_GATEWAY = 3 * HEADERS_KIB;

const toAppError = ({ code }: NodeJS.ErrnoException, headersKib: number): AppError => {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new AppError(
        'HEADERS_TOO_LARGE',
        431,
        `The headers are too many or larger than ${headersKib} KiB`,
      );
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('REQUEST_TIMEOUT', 408, 'The request did not arrive in time');
    default:
      return validationFailed('The request is not well-formed HTTP');
  }
};

type ParserError = NodeJS.ErrnoException & { rawPacket?: Buffer };

/** To HEAD no body is answered; as far as can be told, since the parser gave up. */
const isForHead = ({ rawPacket }: ParserError): boolean => rawPacket?.toString('latin1', 0, 5) === 'HEAD ';

const printAnswer = (error: AppError, requestId: string, hasBody: boolean): string => {
  const body = toErrorBody(error, requestId);
  const json = JSON.stringify(body);
  return [
    `HTTP/1.1 ${error.status} ${body.error}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(json)}`,
    `X-Request-Id: ${requestId}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    '',
    hasBody ? json : '',
  ].join('\r\n');
};

/** What Node's parser refuses never becomes a request, so it is answered on the bare socket. */
const answerClientError = (log: Log, headersKib: number) => (error: ParserError, socket: Socket) => {
  // As Node's own handler does: bytes in the middle of an answer would be taken for a part of it.
  const { _httpMessage: underway } = socket as { _httpMessage?: ServerResponse };
  if (error.code === 'ECONNRESET' || !socket.writable || underway?.headersSent) {
    socket.destroy();
    return;
  }
  const answer = toAppError(error, headersKib);
  const requestId = randomUUID();
  log.info(
    { requestId, status: answer.status, cause: error.code, address: socket.remoteAddress },
    'refused before it was a request',
  );
  socket.write(printAnswer(answer, requestId, !isForHead(error)));
  socket.destroySoon();
};

/** An HTTP server with the platform's timeouts, whose every answer has the one error body. */
export const createApiServer = (listener: RequestListener, log: Log, headersKib = HEADERS_KIB): Server => {
  const server = createServer({ ...OPTIONS, maxHeaderSize: headersKib * 1_024 }, listener);
  server.on('clientError', answerClientError(log, headersKib));
  // Node would answer 417 without a body; RFC 9110, 10.1.1 lets a server ignore what it does not know.
  server.on('checkExpectation', listener);
  return server;
};
