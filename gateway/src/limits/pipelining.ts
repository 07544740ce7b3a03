import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

declare module 'node:net' {
  interface Socket {
    /** Node's parser of the connection, which is not in Node's types. */
    parser?: { onIncoming: () => number } | null;
  }
}

/** Requests in addition to the one that is being processed. */
const MAX_WAITING_REQUESTS = 8;

/**
 * Destroying a connection does not stop its parser, which would emit all requests of a chunk of 64 KB: with
 * twenty connections, others wait for half a second (floods.test.ts). After it returns 2, which stands for an
 * upgrade, the parser emits none.
 */
const destroyWithParser = (socket: Socket): void => {
  if (socket.parser) socket.parser.onIncoming = () => 2;
  socket.destroy();
};

/**
 * Processes the pipelined requests of a connection one after another, and closes a connection with too many.
 */
export const limitPipelining = (listener: RequestListener): RequestListener => {
  const handle = (req: IncomingMessage, res: ServerResponse): void => {
    // The parser rejected the body while the request waited, so it already has a response, which closes the
    // connection.
    if (res.headersSent) return;
    res.once('close', () => serveNext(req.socket));
    listener(req, res);
  };
  const serveNext = (socket: Socket): void => {
    const { state } = socket;
    const next = socket.destroyed || state.isClosing ? undefined : state.waitingRequests?.shift();
    if (next) next();
    else state.waitingRequests = undefined;
  };
  return (req, res) => {
    const { socket } = req;
    const { state } = socket;
    if (socket.destroyed || state.isClosing) return;
    const waiting = state.waitingRequests;
    if (!waiting) {
      state.waitingRequests = [];
      handle(req, res);
    } else if (waiting.length < MAX_WAITING_REQUESTS) waiting.push(() => handle(req, res));
    else destroyWithParser(socket);
  };
};

/** Sends this response as the last one of its connection. */
export const closeAfterResponse = ({ socket }: IncomingMessage, res: ServerResponse): void => {
  socket.state.isClosing = true;
  res.setHeader('Connection', 'close');
};
