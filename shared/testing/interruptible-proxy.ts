import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';

const closeServer = async (server: Server): Promise<void> => {
  if (!server.listening) return;
  server.close();
  await once(server, 'close');
};

/**
 * A stream that stops before the first chunk for which `stopsAt` returns true. `resume` forwards the held
 * chunks.
 */
const createGate = (stopsAt: (chunk: Buffer) => boolean) => {
  const held: (() => void)[] = [];
  return {
    stream: () =>
      new Transform({
        transform: (chunk: Buffer, _encoding, done) => {
          const pass = () => done(null, chunk);
          if (stopsAt(chunk)) held.push(pass);
          else pass();
        },
      }),
    resume: () => {
      for (const pass of held.splice(0)) pass();
    },
  };
};

/** Starts a TCP proxy between a service and a dependency, to simulate outages. */
export const createInterruptibleProxy = async (targetUrl: string) => {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  let freezeText: string | undefined;
  const freeze = () => {
    isFrozen = true;
    for (const socket of sockets) socket.pause();
  };
  const gate = createGate((chunk) => {
    if (freezeText === undefined || !chunk.includes(freezeText)) return false;
    freezeText = undefined;
    freeze();
    return true;
  });
  const server = createServer((inner) => {
    const outer = connect(Number(target.port), target.hostname);
    for (const socket of [inner, outer]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        inner.destroy();
        outer.destroy();
      });
    }
    inner.pipe(gate.stream()).pipe(outer).pipe(inner);
    if (isFrozen) inner.pause();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = new URL(targetUrl);
  url.host = `127.0.0.1:${port}`;

  const cut = async () => {
    for (const socket of sockets) socket.destroy();
    await closeServer(server);
  };
  return {
    /** The URL of the target with the port of the proxy. */
    url: url.href,
    /** Simulates a dead target: resets every connection and refuses new ones. */
    cut,
    /** Simulates a stopped target: connections stay open without data. */
    freeze,
    /** Freezes before the next bytes with this text reach the target. `restore` sends them. */
    freezeAt: (text: string) => {
      freezeText = text;
    },
    isFrozen: () => isFrozen,
    restore: async () => {
      isFrozen = false;
      gate.resume();
      for (const socket of sockets) socket.resume();
      if (server.listening) return;
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    close: cut,
  };
};

export type InterruptibleProxy = Awaited<ReturnType<typeof createInterruptibleProxy>>;
