import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode, StackError } from './stack-error.ts';

/** A port held by this process until the one it is meant for is about to bind it. */
export type ReservedPort = { port: number; release(): Promise<void> };

/** `variable` names what sets the port, for the message when it is taken; port 0 takes any free one. */
export type PortWish = { port: number; host: string; variable?: string };

// Below the range the kernel takes ports for outgoing connections from (32768 and up on Linux, 49152 elsewhere):
// such a connection could otherwise take the port between two runs of the process that it belongs to.
const firstFree = 20_000;
const lastFree = 32_000;

const listen = (port: number, host: string): Promise<Server> =>
  new Promise((resolve, reject) => {
    // Whoever knocks while the real process is not up yet is turned away at once, not left hanging.
    const server = createServer((socket) => socket.resetAndDestroy());
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });

const reserved = (port: number, server: Server): ReservedPort => {
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

const reserveAnyPort = async (host: string): Promise<ReservedPort> => {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = firstFree + Math.floor(Math.random() * (lastFree - firstFree));
    try {
      return reserved(port, await listen(port, host));
    } catch (error) {
      if (errorCode(error) !== 'EADDRINUSE' && errorCode(error) !== 'EACCES') throw error;
    }
  }
  throw new StackError(`No free port was found on ${host} between ${firstFree} and ${lastFree}.`);
};

/** Tries for `patienceSeconds`: the processes of a stack that was just killed need a moment to go. */
const reserveFixedPort = async (
  port: number,
  host: string,
  patienceSeconds: number,
): Promise<ReservedPort> => {
  const deadline = Date.now() + patienceSeconds * 1000;
  for (;;) {
    try {
      return reserved(port, await listen(port, host));
    } catch (error) {
      if (errorCode(error) !== 'EADDRINUSE' || Date.now() >= deadline) throw error;
    }
    await sleep(100);
  }
};

const reasons: Record<string, string> = {
  EADDRINUSE: 'is taken by another program',
  EACCES: 'needs privileges that this account lacks',
  EADDRNOTAVAIL: 'cannot be bound: the address is not one of this machine',
};

const complaint = (wish: PortWish, reason: unknown): string => {
  const code = errorCode(reason) ?? String(reason);
  const name = wish.variable ?? 'port';
  return `Port ${wish.port} (${name}) on ${wish.host} ${reasons[code] ?? `cannot be bound: ${code}`}.`;
};

const advice = (variables: string[]) =>
  `Free it, or choose another: ${variables.map((name) => `${name}=0`).join(' ')} npm start ` +
  '(0 takes any free port).';

const sameTwice = (wishes: PortWish[]): string[] => {
  const fixed = wishes.filter((wish) => wish.port !== 0);
  return fixed.flatMap((wish, index) => {
    const earlier = fixed.slice(0, index).find((other) => other.port === wish.port);
    return earlier
      ? [`${earlier.variable} and ${wish.variable} are both ${wish.port}: they must differ.`]
      : [];
  });
};

/**
 * Reserves every wished port, or none.
 * @throws StackError with a line for each port that cannot be had
 */
export const reservePorts = async <Name extends string>(
  wishes: Record<Name, PortWish>,
  patienceSeconds = 0,
): Promise<Record<Name, ReservedPort>> => {
  const named = Object.entries(wishes) as [Name, PortWish][];
  const repeated = sameTwice(named.map(([, wish]) => wish));
  if (repeated.length > 0) throw new StackError(repeated.join('\n'));
  const results = await Promise.allSettled(
    named.map(async ([name, { port, host }]) => {
      const held = port === 0 ? reserveAnyPort(host) : reserveFixedPort(port, host, patienceSeconds);
      return [name, await held] as const;
    }),
  );
  const held = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const refused = results.flatMap((result, index) => {
    const wish = named[index]?.[1];
    return result.status === 'rejected' && wish ? [{ wish, reason: result.reason }] : [];
  });
  if (refused.length === 0) return Object.fromEntries(held) as Record<Name, ReservedPort>;
  await Promise.all(held.map(([, port]) => port.release()));
  const lines = refused.map(({ wish, reason }) => complaint(wish, reason));
  const variables = refused.flatMap(({ wish }) => wish.variable ?? []);
  throw new StackError([...lines, ...(variables.length > 0 ? [advice(variables)] : [])].join('\n'));
};
