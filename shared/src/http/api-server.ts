import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, validationFailed } from '../errors/app-error.ts';
import type { Log } from '../log/log.ts';
import { BODY_LIMIT_BYTES } from './body-validation.ts';
import { createConnectionErrorResponder, trackLastResponses } from './connection-errors.ts';

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

const awaitsEarlierResponse = ({ lastResponse }: Socket): boolean =>
  lastResponse !== undefined && (lastResponse.req.complete || lastResponse.socket === null);

/** Node's own handler answers even within another response, and without a body. */
const onClientError =
  (refuse: ReturnType<typeof createConnectionErrorResponder>, headersKib: number) =>
  (error: ParserError, socket: Socket): void => {
    if (error.code === 'ECONNRESET') socket.destroy();
    // The last response has asked for the end of the connection, and may still be on its way.
    else if (!socket.writable) socket.destroySoon();
    // The client has ended its side. Node closes the connection too when that happens between requests.
    else if (error.code === 'HPE_INVALID_EOF_STATE' && awaitsEarlierResponse(socket)) socket.destroy();
    else refuse(socket, toAppError(error, headersKib), { isForHead: isForHead(error), cause: error.code });
  };

const declaredLength = ({ headers }: IncomingMessage): number => Number(headers['content-length'] ?? 0);

/** An HTTP server with the platform's timeouts and the one error body in every error response. */
export const createApiServer = (
  listener: RequestListener | undefined,
  log: Log,
  headersKib = HEADERS_KIB,
): Server => {
  const server = createServer({ ...OPTIONS, maxHeaderSize: headersKib * 1_024 }, listener);
  const refuse = createConnectionErrorResponder(log);
  trackLastResponses(server);
  server.on('clientError', onClientError(refuse, headersKib));
  server.on('checkContinue', (req, res) => {
    // Without `100 Continue` the client does not send what the limit refuses.
    if (declaredLength(req) <= BODY_LIMIT_BYTES) res.writeContinue();
    server.emit('request', req, res);
  });
  // Node would answer 417 without a body; RFC 9110, 10.1.1 lets a server ignore what it does not know.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  // Node would close the connection without a response.
  server.on('connect', (_req, socket: Socket) => {
    // Node's listeners are gone. Unread data would reset the connection before the client has read the response.
    socket.on('error', () => socket.destroy()).resume();
    refuse(socket, validationFailed('CONNECT is not supported; send requests to the API itself.'));
  });
  return server;
};
