import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { connect, createServer, type Server } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeHostError, isHostError } from '@platform/shared/server/listen-errors';
import { errorCode, StackError } from './stack-error.ts';

/** A port that this process holds until the intended process binds it. */
export type ReservedPort = { port: number; release(): Promise<void> };

/** `variable` is the name of the port's setting, for error messages. Port 0 reserves any free port. */
export type PortRequest = { port: number; host: string; variable?: string };

// Below the ephemeral ports of most systems (readEphemeralRange).
const minPort = 20_000;
const maxPort = 32_000;
const blockSize = 40;

/** The ports that the system assigns to outgoing connections, which may occupy one while its process restarts. */
export const readEphemeralRange = (): { first: number; last: number } => {
  try {
    const text = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8');
    const [first = 0, last = 0] = text.trim().split(/\s+/).map(Number);
    return { first, last };
  } catch {
    return { first: 49_152, last: 65_535 }; // not Linux
  }
};

const listen = (port: number, host: string): Promise<Server> =>
  new Promise((resolve, reject) => {
    // Clients that connect before the real process listens are rejected immediately instead of waiting.
    const server = createServer((socket) => socket.resetAndDestroy());
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });

const toReservedPort = (port: number, server: Server): ReservedPort => {
  let closing: Promise<void> | undefined;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return {
    port,
    release: () => {
      closing ??= close();
      return closing;
    },
  };
};

/** Undefined if another process uses the port, or this one may not bind it. */
const tryToListen = (port: number, host: string): Promise<Server | undefined> =>
  listen(port, host).catch((error: unknown) => {
    if (errorCode(error) === 'EADDRINUSE' || errorCode(error) === 'EACCES') return undefined;
    throw error;
  });

const isFree = async (port: number, host: string): Promise<boolean> => {
  const server = await tryToListen(port, host);
  if (server) await toReservedPort(port, server).release();
  return server !== undefined;
};

/** The ports that only this process may choose. */
const ownPorts: number[] = [];

/**
 * A block of ports belongs to the process that listens on its first port. A released port is free until the
 * intended process binds it, also while that process restarts. Without blocks, another stack that starts in
 * that moment could choose it. If a port of a block is in use, the other ones may belong to restarting
 * processes of the same stack, which outlived the process that guarded the block.
 */
const claimBlock = async (): Promise<void> => {
  const count = (maxPort - minPort) / blockSize;
  const start = Math.floor(Math.random() * count);
  for (let index = 0; index < count; index += 1) {
    const first = minPort + ((start + index) % count) * blockSize;
    const guard = await tryToListen(first, '127.0.0.1');
    if (!guard) continue;
    guard.unref(); // listens until the process exits
    const ports = Array.from({ length: blockSize - 1 }, (_, offset) => first + 1 + offset);
    const free = await Promise.all(ports.map((port) => isFree(port, '127.0.0.1')));
    if (!free.includes(false)) {
      ownPorts.push(...ports);
      return;
    }
    guard.close();
  }
  throw new StackError(`There is no free port between ${minPort} and ${maxPort}.`);
};

let claiming: Promise<void> | undefined;

const takeOwnPort = async (): Promise<number> => {
  for (;;) {
    const port = ownPorts.shift();
    if (port !== undefined) return port;
    claiming ??= claimBlock().finally(() => {
      claiming = undefined;
    });
    await claiming;
  }
};

const reserveAnyPort = async (host: string): Promise<ReservedPort> => {
  for (;;) {
    const port = await takeOwnPort();
    const server = await tryToListen(port, host);
    if (server) return toReservedPort(port, server);
  }
};

/**
 * Retries for `timeoutSeconds`, because the processes of a stack that was just killed need a moment to exit.
 */
const reserveFixedPort = async (
  port: number,
  host: string,
  timeoutSeconds: number,
): Promise<ReservedPort> => {
  const deadline = Date.now() + timeoutSeconds * 1000;
  for (;;) {
    try {
      return toReservedPort(port, await listen(port, host));
    } catch (error) {
      if (errorCode(error) !== 'EADDRINUSE' || Date.now() >= deadline) throw error;
    }
    await sleep(100);
  }
};

const reasons: Record<string, string> = {
  EADDRINUSE: 'is in use by another program',
  EACCES: 'requires privileges that this account lacks',
};

type Failure = { request: PortRequest; code: string };

const isOfHost = ({ code }: Failure): boolean => isHostError(code);

const describeFailure = (failure: Failure): string => {
  const { request, code } = failure;
  const { port, host, variable } = request;
  return isOfHost(failure)
    ? `${describeHostError(host, code)}.`
    : `Port ${port} (${variable ?? 'port'}) on ${host} ${reasons[code] ?? `cannot be bound: ${code}`}.`;
};

const suggestPorts = (variables: string[]) =>
  `Free it, or choose another one: ${variables.map((name) => `${name}=0`).join(' ')} npm start ` +
  '(0: any free port).';

const findDuplicates = (requests: PortRequest[]): string[] => {
  const fixed = requests.filter((request) => request.port !== 0);
  return fixed.flatMap((request, index) => {
    const earlier = fixed.slice(0, index).find((other) => other.port === request.port);
    return earlier
      ? [`${earlier.variable} and ${request.variable} are both ${request.port}; they must differ.`]
      : [];
  });
};

/**
 * Reserves either all ports or none.
 * @throws StackError with a line for each unavailable port
 */
export const reservePorts = async <Name extends string>(
  requests: Record<Name, PortRequest>,
  timeoutSeconds = 0,
): Promise<Record<Name, ReservedPort>> => {
  const named = Object.entries(requests) as [Name, PortRequest][];
  const repeated = findDuplicates(named.map(([, request]) => request));
  if (repeated.length > 0) throw new StackError(repeated.join('\n'));
  const results = await Promise.allSettled(
    named.map(async ([name, { port, host }]) => {
      const pending = port === 0 ? reserveAnyPort(host) : reserveFixedPort(port, host, timeoutSeconds);
      return [name, await pending] as const;
    }),
  );
  const reserved = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = results.flatMap((result, index) => {
    const request = named[index]?.[1];
    if (result.status === 'fulfilled' || !request) return [];
    return { request, code: errorCode(result.reason) ?? String(result.reason) };
  });
  if (failed.length === 0) return Object.fromEntries(reserved) as Record<Name, ReservedPort>;
  await Promise.all(reserved.map(([, port]) => port.release()));
  const lines = new Set(failed.map(describeFailure));
  const variables = failed.flatMap((failure) => (isOfHost(failure) ? [] : (failure.request.variable ?? [])));
  throw new StackError([...lines, ...(variables.length > 0 ? [suggestPorts(variables)] : [])].join('\n'));
};

/** Only a frozen process takes longer: it is probed again. */
const probeMilliseconds = 5_000;

/** The response to a GET request on a new connection; undefined if there is none. */
const probe = (url: string): Promise<IncomingMessage | undefined> =>
  new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: probeMilliseconds }, resolve);
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(undefined));
  });

type ReadinessBody = { status: string; degraded?: string[] };

/** Whether a process is ready and nothing is degraded except `optional`. */
export const isFullyReady = async (opsUrl: string, optional: readonly string[] = []): Promise<boolean> => {
  const response = await probe(`${opsUrl}/readyz`);
  if (response === undefined) return false;
  const body = (await json(response).catch(() => undefined)) as ReadinessBody | undefined;
  const { degraded = [] } = body ?? {};
  return body?.status === 'ready' && degraded.every((dependency) => optional.includes(dependency));
};

/** Whether a URL returns 200. */
export const respondsOk = async (url: string): Promise<boolean> => {
  const response = await probe(url);
  response?.resume();
  return response?.statusCode === 200;
};

/** Whether a Redis-compatible server responds to PING. */
export const respondsToPing = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host, timeout: probeMilliseconds });
    const end = (hasResponded: boolean) => {
      socket.destroy();
      resolve(hasResponded);
    };
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (data) => end(data.toString().startsWith('+PONG')));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
  });
