import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, BODY_LIMIT_BYTES, validationFailed } from '../errors/app-error.ts';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { createConnectionErrorResponder, trackLastResponses } from './connection-errors.ts';

/** Longer than the gateway keeps idle connections, so that it never reuses one that is being closed. */
const KEEP_ALIVE_SECONDS = 65;

const OPTIONS = {
  headersTimeout: 20_000,
  requestTimeout: 30_000,
  // Node checks every 30 s by default, so a timeout of 20 s could take 50 s.
  connectionsCheckingInterval: 5_000,
  // Node's own response would lack the error body, so the gateway itself rejects a request without a host.
  requireHostHeader: false,
};

/** Node's default limit. It includes the request line. */
const HEADERS_KIB = 16;
/**
 * The limit of the services is higher, because the gateway adds headers to those that it accepted. One of
 * them repeats the host.
 */
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

/** A response to HEAD has no body. The parser has failed, so read the method from the raw bytes. */
const isForHead = ({ rawPacket }: ParserError): boolean => rawPacket?.toString('latin1', 0, 5) === 'HEAD ';

const hasPendingResponse = ({ state: { lastResponse } }: Socket): boolean =>
  lastResponse !== undefined && (lastResponse.req.complete || lastResponse.socket === null);

/** Node's default handler would write into a response that has begun, and would send no body. */
const onClientError =
  (respond: ReturnType<typeof createConnectionErrorResponder>, headersKib: number) =>
  (error: ParserError, socket: Socket): void => {
    if (error.code === 'ECONNRESET') socket.destroy();
    // The last response closes the connection, and may not be flushed yet.
    else if (!socket.writable) socket.destroySoon();
    // The client has half-closed the connection. Node also closes it between requests.
    else if (error.code === 'HPE_INVALID_EOF_STATE' && hasPendingResponse(socket)) socket.destroy();
    else respond(socket, toAppError(error, headersKib), { isForHead: isForHead(error), cause: error.code });
  };

const declaredLength = ({ headers }: IncomingMessage): number => Number(headers['content-length'] ?? 0);

type ApiServerOptions = {
  headersKib?: number;
  /** Also those of a response to input that Node's parser rejects, which no middleware sees. */
  responseHeaders?: ReadonlyMap<string, string>;
  keepAliveSeconds?: number;
};

/** Creates an HTTP server with the platform's timeouts and error body. */
export const createApiServer = (
  listener: RequestListener | undefined,
  { log, metrics }: { log: Log; metrics: Metrics },
  options: ApiServerOptions = {},
): Server => {
  const { headersKib = HEADERS_KIB, responseHeaders = new Map() } = options;
  const { keepAliveSeconds = KEEP_ALIVE_SECONDS } = options;
  const server = createServer(
    { ...OPTIONS, keepAliveTimeout: keepAliveSeconds * 1_000, maxHeaderSize: headersKib * 1_024 },
    listener,
  );
  const respond = createConnectionErrorResponder(log, metrics, responseHeaders);
  trackLastResponses(server);
  server.on('clientError', onClientError(respond, headersKib));
  server.on('checkContinue', (req, res) => {
    // Without `100 Continue`, the client does not send a body that is too large.
    if (declaredLength(req) <= BODY_LIMIT_BYTES) res.writeContinue();
    server.emit('request', req, res);
  });
  // Node would send 417 without a body. RFC 9110, section 10.1.1 allows a server to ignore an unknown
  // expectation.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  // Node would close the connection without a response.
  server.on('connect', (_req, socket: Socket) => {
    // Node has removed its listeners. Closing a socket with unread data sends RST, so read what arrives.
    socket.on('error', () => socket.destroy()).resume();
    respond(socket, validationFailed('CONNECT is not supported; send requests to the API itself.'));
  });
  return server;
};
