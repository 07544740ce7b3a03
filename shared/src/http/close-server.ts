import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';

const PATIENCE_MILLISECONDS = 1_000;
const SHORT_TURN_MILLISECONDS = 0.5;
const SWEEP_MILLISECONDS = 50;

/** Resolves right after a short turn of the event loop in which neither a connection nor a request came in. */
const untilQuiet = async (server: Server): Promise<void> => {
  let arrivals = 0;
  const count = () => {
    arrivals += 1;
  };
  server.on('connection', count).on('request', count);
  const deadline = performance.now() + PATIENCE_MILLISECONDS;
  for (let began = performance.now(); began < deadline; began = performance.now()) {
    const before = arrivals;
    await nextTurn();
    if (arrivals === before && performance.now() - began < SHORT_TURN_MILLISECONDS) break;
  }
  server.off('connection', count).off('request', count);
};

declare module 'node:net' {
  interface Socket {
    /** The answer to the last request that came in on it, until that is closed. */
    answerUnderWay?: ServerResponse | undefined;
  }
}

/**
 * `begin` has every answer whose headers are not sent yet, and every later one, end its connection. The answers are noted
 * on their connections and not in a Set: a Set leaves its outgrown tables to the garbage collector with all that was in
 * them, and once one of these has grown old, so do half of all requests (measured: 40 % more processor time each).
 */
const createLastAnswers = (server: Server) => {
  const connections = new Set<Socket>();
  let haveBegun = false;
  const endConnection = (res: ServerResponse): void => {
    if (!res.headersSent) res.setHeader('Connection', 'close');
  };
  const watch = ({ socket }: IncomingMessage, res: ServerResponse): void => {
    socket.answerUnderWay = res;
    res.once('close', () => {
      if (socket.answerUnderWay === res) socket.answerUnderWay = undefined;
    });
    if (haveBegun) endConnection(res);
  };
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', watch).prependListener('checkExpectation', watch);
  return {
    begin: (): void => {
      haveBegun = true;
      for (const { answerUnderWay } of connections) if (answerUnderWay) endConnection(answerUnderWay);
    },
  };
};

/**
 * Makes the function that closes a server so that no client sees a connection reset; it resolves when the last one has
 * ended. What is closed while something waits there that the process has not read yet is reset: a port with connections
 * that only the kernel has made so far, a kept connection with a request. So each is closed at a quiet moment, and clients
 * are asked to leave their connections only once they cannot come back on new ones, of which many would wait at the port.
 * Those that are still kept after `graceMilliseconds` are closed as soon as nothing is under way on them.
 */
export const createServerCloser = (server: Server) => {
  const lastAnswers = createLastAnswers(server);
  return async (graceMilliseconds: number): Promise<void> => {
    await untilQuiet(server);
    let isOver = false;
    // http.Server's own close would end the kept connections at once.
    const closed = new Promise<void>((resolve) => {
      NetServer.prototype.close.call(server, () => {
        isOver = true;
        resolve();
      });
    });
    lastAnswers.begin();
    const pause = (milliseconds: number) =>
      Promise.race([closed, delay(milliseconds, undefined, { ref: false })]);
    await pause(graceMilliseconds);
    while (!isOver) {
      await untilQuiet(server);
      server.closeIdleConnections();
      await pause(SWEEP_MILLISECONDS);
    }
  };
};
