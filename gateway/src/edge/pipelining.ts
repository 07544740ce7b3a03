import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

declare module 'node:net' {
  interface Socket {
    /** Requests on the connection whose response is not complete. */
    pendingRequests?: number;
    /** The connection closes after a response: later requests on it get none. */
    isClosing?: boolean;
  }
}

/** Beside the request that is being answered. */
const MAX_WAITING_REQUESTS = 8;

/**
 * Closes a connection with too many pipelined requests. The parser emits all requests of a chunk of 64 KB, whatever has become of
 * the connection: those of a closing one end here.
 */
export const limitPipelining =
  (listener: RequestListener): RequestListener =>
  (req, res) => {
    const { socket } = req;
    if (socket.destroyed || socket.isClosing) return;
    const pending = socket.pendingRequests ?? 0;
    if (pending > MAX_WAITING_REQUESTS) return void socket.destroy();
    socket.pendingRequests = pending + 1;
    res.once('close', () => {
      socket.pendingRequests = (socket.pendingRequests ?? 1) - 1;
    });
    listener(req, res);
  };

/** Sends this response as the last one of its connection. */
export const closeAfterResponse = ({ socket }: IncomingMessage, res: ServerResponse): void => {
  socket.isClosing = true;
  res.setHeader('Connection', 'close');
};
