import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The connections on which no request is under way, by the label of the last one. A browser repeats a request
 * by itself if its response is lost on a connection that has been used before, so a fault needs new connections.
 */
export const createIdleConnections = (server: Server) => {
  const labels = new Map<Socket, string>();
  server.on('connection', (socket: Socket) => socket.once('close', () => labels.delete(socket)));
  return {
    /** Notices the connection of a new request. */
    track: ({ socket }: IncomingMessage, res: ServerResponse, label: string | undefined): void => {
      labels.delete(socket);
      if (label !== undefined) res.once('finish', () => labels.set(socket, label));
    },
    close: (label: string): void => {
      for (const [socket, other] of labels) if (other === label) socket.end();
    },
  };
};
