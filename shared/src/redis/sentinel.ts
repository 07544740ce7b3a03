import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from 'redis';
import type { ClientOptions, NodeRedisClient } from './redis-client.ts';
import type { RedisNode } from './redis-url.ts';

type SentinelOptions = {
  sentinels: readonly RedisNode[];
  /** Under which the Sentinels know the primary. */
  name: string;
  /** Account, TLS and timeouts of the connections to the Sentinels. */
  sentinelOptions: ClientOptions;
  /** The same of the connections to the primary. */
  clientOptions: ClientOptions;
  reconnectDelay: (attempt: number) => number;
};

/** How soon a connection to a primary that is frozen, or was replaced while it is alive, is closed. */
const CHECK_MILLISECONDS = 1_000;

const createNodeClient = (options: ClientOptions, { host, port }: RedisNode): NodeRedisClient => {
  const client = createClient({
    ...options,
    socket: { ...options.socket, host, port, reconnectStrategy: false } as NonNullable<
      ClientOptions['socket']
    >,
  });
  // An 'error' event without a listener ends the process.
  client.on('error', () => undefined);
  return client;
};

const isSame = (one: RedisNode, other: RedisNode): boolean =>
  one.host === other.host && one.port === other.port;

/** Asks one Sentinel after the other for the primary, on a connection that is kept. */
const createPrimaryFinder = ({ sentinels, name, sentinelOptions }: SentinelOptions) => {
  let sentinel: NodeRedisClient | undefined;
  let next = 0;
  const close = (): void => {
    sentinel?.destroy();
    sentinel = undefined;
  };
  const query = async (node: RedisNode): Promise<RedisNode> => {
    if (!sentinel?.isReady) {
      close();
      sentinel = createNodeClient(sentinelOptions, node);
      await sentinel.connect();
    }
    const reply = await sentinel.sendCommand(['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name]);
    if (!Array.isArray(reply)) throw new Error(`The Sentinels do not know ${name}`);
    const [host, port] = reply;
    return { host: String(host), port: Number(port) };
  };
  /** The next query goes to another Sentinel: this one may be cut off from the others. */
  const rotate = (): void => {
    close();
    next += 1;
  };
  const find = async (): Promise<RedisNode> => {
    let cause: unknown;
    for (const _ of sentinels) {
      const node = sentinels[next % sentinels.length];
      if (!node) break;
      try {
        return await query(node);
      } catch (error) {
        cause = error;
        rotate();
      }
    }
    throw new Error(`No Sentinel names the primary: ${cause instanceof Error ? cause.message : cause}`);
  };
  return { find, rotate, close };
};

type PrimaryFinder = ReturnType<typeof createPrimaryFinder>;

/** A Sentinel may name a server that has not been promoted yet, or was demoted. */
const requirePrimary = async (client: NodeRedisClient): Promise<void> => {
  if (!/^role:master/m.test(await client.info('replication'))) throw new Error('The server is not a primary');
};

/** Resolves when the Sentinels name another primary. */
const waitForFailover = async (
  finder: PrimaryFinder,
  current: RedisNode,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    await delay(CHECK_MILLISECONDS, undefined, { signal });
    const primary = await finder.find().catch(() => current);
    if (!isSame(primary, current)) return;
  }
};

/** Runs one connection to the primary. Rejects when it is lost, or when the Sentinels name another server. */
const usePrimary = async (
  finder: PrimaryFinder,
  clientOptions: ClientOptions,
  onReady: (client: NodeRedisClient) => void,
): Promise<never> => {
  const address = await finder.find();
  const client = createNodeClient(clientOptions, address);
  const stop = new AbortController();
  try {
    await client.connect();
    await requirePrimary(client);
    const lost = once(client, 'end', stop);
    onReady(client);
    await Promise.race([lost, waitForFailover(finder, address, stop.signal)]);
    throw new Error(`${address.host}:${address.port} is no longer the primary`);
  } finally {
    stop.abort();
    client.destroy();
  }
};

type Session = { isOpen: boolean };

/**
 * A client that behaves as one of createClient(), and connects to the server that the Sentinels name as the primary. The
 * Sentinel client of node-redis holds and repeats commands during a failover, so that a request would wait for it, and a
 * command could run twice; here commands fail at once.
 */
export const createPrimaryClient = (options: SentinelOptions): NodeRedisClient => {
  // It never connects, so it rejects every command.
  const offline = createClient(options.clientOptions);
  let current = offline;
  let session: Session | undefined;
  const events = new EventEmitter();

  const run = async (own: Session): Promise<void> => {
    const finder = createPrimaryFinder(options);
    for (let attempt = 0; own.isOpen; attempt += 1) {
      const onReady = (client: NodeRedisClient): void => {
        if (!own.isOpen) throw new Error('The client is closed');
        attempt = 0;
        current = client;
        events.emit('ready');
      };
      const error: unknown = await usePrimary(finder, options.clientOptions, onReady).catch(
        (reason) => reason,
      );
      if (!own.isOpen) break;
      current = offline;
      events.emit('error', error);
      finder.rotate();
      await delay(options.reconnectDelay(attempt));
      if (own.isOpen) events.emit('reconnecting');
    }
    finder.close();
  };

  const lifecycle = Object.assign(events, {
    connect: async () => {
      if (session) throw new Error('The client is connected already');
      session = { isOpen: true };
      void run(session);
      await new Promise((resolve) => events.once('ready', resolve));
    },
    destroy: () => {
      if (session) session.isOpen = false;
      session = undefined;
      if (current !== offline) current.destroy();
      current = offline;
      events.emit('end');
    },
    quit: async () => lifecycle.destroy(),
    duplicate: () => createPrimaryClient(options),
  });
  // BullMQ keeps a reference to its client, so the client of the day is behind it.
  return new Proxy(lifecycle as unknown as NodeRedisClient, {
    get: (target, property) => {
      if (property === 'isOpen') return session !== undefined;
      const owner = property in lifecycle ? target : current;
      const value: unknown = Reflect.get(owner, property, owner);
      return typeof value === 'function' ? value.bind(owner) : value;
    },
    has: (target, property) => property in target || property in offline,
  });
};
