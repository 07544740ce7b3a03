import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Defer } from './processes.ts';

export type DelayingProxy = {
  port: number;
  /** Of the data towards the target; that in the other direction is not delayed. */
  setDelay: (milliseconds: number) => void;
};

/** A TCP proxy that delays data as a long network does: chunks overtake neither one another nor wait for one another. */
export const startDelayingProxy = async (targetPort: number, defer: Defer): Promise<DelayingProxy> => {
  let delay = 0;
  const sockets = new Set<Socket>();
  const server = createServer((inner) => {
    const outer = connect(targetPort, '127.0.0.1');
    for (const socket of [inner, outer]) {
      sockets.add(socket.setNoDelay());
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        inner.destroy();
        outer.destroy();
      });
    }
    outer.pipe(inner);
    inner.on('data', (chunk) => setTimeout(() => outer.write(chunk), delay));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  defer(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    setDelay: (milliseconds) => {
      delay = milliseconds;
    },
  };
};
