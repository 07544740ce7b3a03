import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';

type Options = {
  /** How long kept connections are still served, for their clients to be told that they end. */
  graceMilliseconds: number;
  /** Called when no further connection is taken: from now on answers should bear `Connection: close`. */
  onPortClosed: () => void;
};

const PATIENCE_MILLISECONDS = 200;
const SHORT_TURN_MILLISECONDS = 0.5;
const SWEEP_MILLISECONDS = 50;

/** Resolves right after a short turn of the event loop in which there was no connection to take. */
const untilNoneWaits = async (server: Server): Promise<void> => {
  let taken = 0;
  const count = () => {
    taken += 1;
  };
  server.on('connection', count);
  const deadline = performance.now() + PATIENCE_MILLISECONDS;
  for (let began = performance.now(); began < deadline; began = performance.now()) {
    const before = taken;
    await nextTurn();
    if (taken === before && performance.now() - began < SHORT_TURN_MILLISECONDS) break;
  }
  server.off('connection', count);
};

/**
 * Closes a server so that no client sees a connection reset. A listening socket that closes resets the connections that
 * the kernel has made for it and the process has not taken yet: so the port is closed at a moment without any, and before
 * clients are told to open new ones. Resolves when the last connection has ended; a request under way is waited for.
 */
export const closeServer = async (
  server: Server,
  { graceMilliseconds, onPortClosed }: Options,
): Promise<void> => {
  await untilNoneWaits(server);
  // http.Server's own close would end idle connections too, on which a request may be on its way.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  onPortClosed();
  await Promise.race([closed, delay(graceMilliseconds, undefined, { ref: false })]);
  server.closeIdleConnections();
  // A connection whose last answer was under way falls idle later, and would be kept for its whole timeout.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MILLISECONDS);
  await closed;
  clearInterval(sweep);
};
