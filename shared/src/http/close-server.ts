import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import './connection-errors.ts';

const MAX_WAIT_MILLISECONDS = 1_000;
const SHORT_TURN_MILLISECONDS = 0.5;
const SWEEP_MILLISECONDS = 50;

/** Resolves right after a short turn of the event loop in which neither a connection nor a request came in. */
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

/** `begin` has every response whose headers are not sent yet, and every later one, end its connection. */
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
      for (const { lastResponse } of connections) if (lastResponse) endConnection(lastResponse);
    },
  };
};

/**
 * Makes the function that closes a server of createApiServer so that no client sees a connection reset; it resolves when the last one has
 * ended. What is closed while something waits there that the process has not read yet is reset: a port with connections
 * that only the kernel has made so far, a kept connection with a request. So each is closed at a quiet moment, and clients
 * are asked to leave their connections only once they cannot come back on new ones, of which many would wait at the port.
 * Those that are still kept after `graceMilliseconds` are closed as soon as nothing is under way on them.
 */
export const createServerCloser = (server: Server) => {
  const drain = createConnectionDrain(server);
  return async (graceMilliseconds: number): Promise<void> => {
    await waitUntilIdle(server);
    let isOver = false;
    // http.Server's own close would end the kept connections at once.
    const closed = new Promise<void>((resolve) => {
      NetServer.prototype.close.call(server, () => {
        isOver = true;
        resolve();
      });
    });
    drain.begin();
    const pause = (milliseconds: number) =>
      Promise.race([closed, delay(milliseconds, undefined, { ref: false })]);
    await pause(graceMilliseconds);
    while (!isOver) {
      await waitUntilIdle(server);
      server.closeIdleConnections();
      await pause(SWEEP_MILLISECONDS);
    }
  };
};
