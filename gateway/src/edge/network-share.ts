import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, tooManyRequests } from '@platform/shared/errors/app-error';
import { type ClientNetworks, WIDER_NETWORK_FACTOR } from '@platform/shared/http/client-address';
import type { GatewayMetrics } from '../gateway-metrics.ts';

/** Connections of the gateway to an instance of a service. */
export const MAX_UPSTREAM_CONNECTIONS = 256;
const MEMORY_BYTES = 64 * 1_024 * 1_024;

/**
 * What the gateway holds for clients: at most so much for a network, `WIDER_NETWORK_FACTOR` times as much for the wider one, and
 * `total` for all. `RATE_LIMIT_SCALE` does not multiply it: it bounds memory and connections, which do not depend on the allowed
 * request rate.
 */
const SHARES = {
  requests: { network: MAX_UPSTREAM_CONNECTIONS / 4, total: Number.POSITIVE_INFINITY },
  /** Incomplete after a second; an ordinary body arrives together with its headers. */
  slowBodies: { network: 50, total: Number.POSITIVE_INFINITY },
  bodyBytes: { network: MEMORY_BYTES / 8, total: MEMORY_BYTES },
  unreadBytes: { network: MEMORY_BYTES / 8, total: MEMORY_BYTES },
} as const;

/** A client that takes nothing of a response for so long, and at most twice as long, is gone or holds it on purpose. */
const UNREAD_MILLISECONDS = 10_000;
/** A slow body ends after 10 s at the latest. */
const BODY_RETRY_SECONDS = 10;
/** A body has a rate only after a while: one that has just begun would be the slowest of all. */
const RATE_AFTER_MILLISECONDS = 1_000;

const tooManyRequestsAtOnce = () =>
  tooManyRequests('RATE_LIMITED', 'Too many requests at once; retry later.', 1);
const tooManyLargeBodies = () =>
  tooManyRequests('RATE_LIMITED', 'Too many large bodies at once; retry later.', 1);
const tooManySlowBodies = () =>
  tooManyRequests(
    'RATE_LIMITED',
    'Too many incomplete request bodies; send each body at once.',
    BODY_RETRY_SECONDS,
  );
/** Closes the connection: the rest of the body would be parsed as the next request. */
const tooManyBodies = (): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 503, 'Too many request bodies at once; retry later.', {
    headers: { 'Retry-After': '1', Connection: 'close' },
  });

/** The amount that is held for each client network; a network without any takes no memory. */
const createHoldings = ({ network: share, total: totalShare }: { network: number; total: number }) => {
  const held = new Map<string, number>();
  let total = 0;
  const get = (network: string): number => held.get(network) ?? 0;
  return {
    isNetworkFull: (networks: ClientNetworks, amount: number): boolean =>
      networks.some(
        (network, index) => get(network) + amount > share * (index === 0 ? 1 : WIDER_NETWORK_FACTOR),
      ),
    isFull: (amount: number): boolean => total + amount > totalShare,
    add: (networks: ClientNetworks, amount: number): void => {
      total += amount;
      for (const network of networks) {
        const sum = get(network) + amount;
        if (sum === 0) held.delete(network);
        else held.set(network, sum);
      }
    },
  };
};

type IncompleteBody = { startedAt: number; bytes: () => number; evict: () => void };

/** Bytes per second; undefined for a body that has just begun. */
const getRate = ({ startedAt, bytes }: IncompleteBody, now: number): number | undefined => {
  const milliseconds = now - startedAt;
  return milliseconds < RATE_AFTER_MILLISECONDS ? undefined : bytes() / milliseconds;
};

/** Limits slow bodies per client network, and the memory of all bodies per client network and in total. */
const createBodyShares = (getTime: () => number) => {
  const [slowBodies, memory] = [createHoldings(SHARES.slowBodies), createHoldings(SHARES.bodyBytes)];
  const incomplete = new Set<IncompleteBody>();

  const findSlowest = (): IncompleteBody | undefined => {
    const now = getTime();
    let slowest: { body: IncompleteBody; rate: number } | undefined;
    for (const body of incomplete) {
      const rate = getRate(body, now);
      if (rate !== undefined && (slowest === undefined || rate < slowest.rate)) slowest = { body, rate };
    }
    return slowest?.body;
  };

  /** Ends the slowest bodies until there is room. False when none is left but `own`. */
  const makeRoom = (own: IncompleteBody, bytes: number): boolean => {
    while (memory.isFull(bytes)) {
      const slowest = findSlowest();
      if (slowest === undefined || slowest === own) return false;
      slowest.evict();
    }
    return true;
  };

  /** `abort` is called with a 503 when the memory of the incomplete body is needed for another one. */
  return (networks: ClientNetworks, abort: (error: AppError) => void) => {
    let reservedBytes = 0;
    let isSlow = false;
    const reserveBytes = (bytes: number) => {
      reservedBytes += bytes;
      memory.add(networks, bytes);
    };
    const setSlow = (slow: boolean) => {
      if (slow !== isSlow) slowBodies.add(networks, slow ? 1 : -1);
      isSlow = slow;
    };
    const endTransfer = () => {
      incomplete.delete(body);
      setSlow(false);
    };
    const release = () => {
      endTransfer();
      reserveBytes(-reservedBytes);
    };
    const evict = () => {
      release();
      abort(tooManyBodies());
    };
    const body: IncompleteBody = { startedAt: getTime(), bytes: () => reservedBytes, evict };
    incomplete.add(body);

    return {
      /**
       * Reserves memory for received bytes. When that of all is used up, the slowest incomplete bodies end.
       * @returns 429 when the memory of the client network is used up, 503 when no other body is slower
       */
      reserve: (bytes: number): AppError | undefined => {
        if (memory.isNetworkFull([networks[0]], bytes)) return tooManyLargeBodies();
        if (!makeRoom(body, bytes)) return tooManyBodies();
        reserveBytes(bytes);
        return undefined;
      },
      /** Counts the body as slow until `endTransfer`. @returns 429 when the client network has too many slow bodies */
      markSlow: (): AppError | undefined => {
        if (slowBodies.isNetworkFull(networks, 1)) return tooManySlowBodies();
        setSlow(true);
        return undefined;
      },
      /** The body was received, or reading it was aborted. */
      endTransfer,
      /** Ends the transfer, and frees the reserved memory. */
      release,
    };
  };
};

type UnreadResponse = {
  socket: Socket;
  networks: ClientNetworks;
  bytes: number;
  onRead: () => void;
  onSocket: () => void;
};

/** Limits the bytes of responses that wait in the gateway because their client does not read them. */
const createUnreadShares = (metrics: Pick<GatewayMetrics, 'countRateLimited'>) => {
  const memory = createHoldings(SHARES.unreadBytes);
  /** Those that have waited longest first. */
  const unread = new Map<ServerResponse, UnreadResponse>();

  /** The response that each connection waits for: the others on it wait for that one, not for their client. */
  const waits = new WeakMap<Socket, ServerResponse>();

  const startWait = (res: ServerResponse, socket: Socket): void => {
    waits.set(socket, res);
    // Node refreshes this timeout while the client takes something, and then ends the connection. Reading would refresh it, too.
    socket.pause().setTimeout(UNREAD_MILLISECONDS);
  };

  const stopWait = (res: ServerResponse, socket: Socket): void => {
    if (waits.get(socket) !== res) return;
    waits.delete(socket);
    // Node may have set that of an idle connection.
    if (socket.timeout === UNREAD_MILLISECONDS) socket.setTimeout(0);
    socket.resume();
  };

  const release = (res: ServerResponse): void => {
    const entry = unread.get(res);
    if (!entry) return;
    unread.delete(res);
    memory.add(entry.networks, -entry.bytes);
    res.off('drain', entry.onRead).off('close', entry.onRead).off('socket', entry.onSocket);
    stopWait(res, entry.socket);
  };

  const end = (res: ServerResponse, { socket }: UnreadResponse): void => {
    metrics.countRateLimited({ limit: 'responses' });
    release(res);
    socket.destroy();
  };

  const endLongestWaiting = (isCandidate: (entry: UnreadResponse) => boolean): void => {
    const longest = [...unread].find(([, entry]) => isCandidate(entry));
    if (longest) end(...longest);
  };

  const hold = (res: ServerResponse, networks: ClientNetworks): UnreadResponse => {
    const { socket } = res.req;
    const onSocket = () => startWait(res, socket);
    const entry = { socket, networks, bytes: 0, onRead: () => release(res), onSocket };
    unread.set(res, entry);
    if (res.socket) onSocket();
    res.on('drain', entry.onRead).on('close', entry.onRead).on('socket', onSocket);
    return entry;
  };

  /**
   * After a write that the client has not taken at once. Ends the connections that have waited longest, of the network or of all,
   * while they hold more than their share.
   */
  return (res: ServerResponse, networks: ClientNetworks): void => {
    // The service may send more after the connection has ended: nothing would release it.
    if (res.req.socket.destroyed) return;
    const entry = unread.get(res) ?? hold(res, networks);
    memory.add(networks, res.writableLength - entry.bytes);
    entry.bytes = res.writableLength;
    const [network] = networks;
    while (memory.isNetworkFull([network], 0)) endLongestWaiting((other) => other.networks[0] === network);
    while (memory.isFull(0)) endLongestWaiting(() => true);
  };
};

/** What the gateway holds for each client network, in one place: requests, bodies and unread responses. */
export const createNetworkShares = (
  metrics: Pick<GatewayMetrics, 'countRateLimited'>,
  getTime = () => performance.now(),
) => {
  const requests = createHoldings(SHARES.requests);
  return {
    /** @returns what releases the request, once it is no longer in flight. @throws AppError 429 */
    holdRequest: (networks: ClientNetworks): (() => void) => {
      if (requests.isNetworkFull(networks, 1)) {
        metrics.countRateLimited({ limit: 'requests' });
        throw tooManyRequestsAtOnce();
      }
      requests.add(networks, 1);
      return () => requests.add(networks, -1);
    },
    openBody: createBodyShares(getTime),
    holdUnread: createUnreadShares(metrics),
  };
};

export type NetworkShares = ReturnType<typeof createNetworkShares>;
export type BodyShare = ReturnType<NetworkShares['openBody']>;
