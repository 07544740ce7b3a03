import type { Server } from 'node:http';
import { type AddressInfo, createServer as createNetServer, type Server as NetServer } from 'node:net';
import { ConfigError } from '../config/env.ts';
import { describeHostError, isHostError } from './listen-errors.ts';

/** A port and its variable, which the error names when the port is in use. */
export type Port = { variable: string; number: number };

/** Returns the actual port, which differs for port 0. */
export const getPort = (server: Server): number | undefined => (server.address() as AddressInfo | null)?.port;

const toListenError = (error: NodeJS.ErrnoException, { number, variable }: Port, host: string): Error => {
  const { code = '' } = error;
  if (code === 'EADDRINUSE')
    return new ConfigError(`${variable}: port ${number} on ${host} is in use; free it or set another port`);
  return isHostError(code) ? new ConfigError(describeHostError(host, code)) : error;
};

/** @throws ConfigError that names the variable of a port in use */
export const listen = (server: Server, port: Port, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(toListenError(error, port, host)));
    server.listen(port.number, host, resolve);
  });

/**
 * Lets the server accept connections at `[::1]`, too: some clients try only the first address of `localhost`. It
 * is optional, because a machine may have no IPv6, and another program may use the port there.
 */
export const listenOnIpv6Loopback = (server: Server): NetServer =>
  createNetServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket))
    .on('error', () => undefined)
    .listen(getPort(server), '::1');
