import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

type LocalServer = { port: number; close: () => Promise<void> };

/** Listens on a free port of 127.0.0.1. `close` also ends open connections. */
export const listenLocally = async (server: Server | TlsServer): Promise<LocalServer> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
