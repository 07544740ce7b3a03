import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';

const MAX_WAIT_MILLISECONDS = 1_000;
const SHORT_TURN_MILLISECONDS = 0.5;
const SWEEP_MILLISECONDS = 50;

/** Resolves when new connections and requests have stopped for a short time. */
const waitUntilIdle = async (server: Server): Promise<void> => {
  let arrivals = 0;
  const count = () => {
    arrivals += 1;
  };
  server.on('connection', count).on('request', count);
  const deadline = performance.now() + MAX_WAIT_MILLISECONDS;
  for (let began = performance.now(); began < deadline; began = performance.now()) {
    const before = arrivals;
    await nextTurn();
    if (arrivals === before && performance.now() - began < SHORT_TURN_MILLISECONDS) break;
  }
  server.off('connection', count).off('request', count);
};

/** After `begin`, every response whose headers are not sent yet closes its connection. */
const createConnectionDrain = (server: Server) => {
  const connections = new Set<Socket>();
  const endConnection = (res: ServerResponse): void => {
    if (!res.headersSent) res.setHeader('Connection', 'close');
  };
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  return {
    begin: (): void => {
      server.prependListener('request', (_req, res) => endConnection(res));
      for (const { state } of connections) if (state.lastResponse) endConnection(state.lastResponse);
    },
  };
};

/**
 * Creates the function that closes a server of createApiServer without connection resets. It resolves when
 * the last connection has ended. Closing a listening socket resets the connections in its backlog, and
 * closing a connection with unread data resets it. Therefore both are closed only when nothing is pending.
 * `Connection: close` is sent only after the listening socket is closed, because clients would reconnect.
 * Connections that are idle after `graceMilliseconds` are closed.
 */
export const createServerCloser = (server: Server) => {
  const drain = createConnectionDrain(server);
  return async (graceMilliseconds: number): Promise<void> => {
    await waitUntilIdle(server);
    let isClosed = false;
    // The `close` of http.Server would end idle keep-alive connections at once.
    const closed = new Promise<void>((resolve) => {
      NetServer.prototype.close.call(server, () => {
        isClosed = true;
        resolve();
      });
    });
    drain.begin();
    const pause = (milliseconds: number) =>
      Promise.race([closed, delay(milliseconds, undefined, { ref: false })]);
    await pause(graceMilliseconds);
    while (!isClosed) {
      await waitUntilIdle(server);
      server.closeIdleConnections();
      await pause(SWEEP_MILLISECONDS);
    }
  };
};
