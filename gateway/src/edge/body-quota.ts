import { AppError, tooManyRequests } from '@platform/shared/errors/app-error';
import { type ClientNetworks, WIDER_NETWORK_FACTOR } from '@platform/shared/http/client-address';

const MEMORY_BYTES = 64 * 1_024 * 1_024;

/**
 * `RATE_LIMIT_SCALE` does not multiply these limits: they bound memory and connections, which do not depend on the allowed
 * request rate, and a body that arrives together with its headers is never slow.
 */
const LIMITS = {
  /** Of a client network; the wider one may have `WIDER_NETWORK_FACTOR` times as many. */
  slowBodies: 50,
  /** Of a client network. The wider one may use all of it: its oldest bodies then end first. */
  networkBytes: MEMORY_BYTES / 8,
  bytes: MEMORY_BYTES,
};

/** A slow body ends after 10 s at the latest. */
const RETRY_AFTER_SECONDS = 10;

/** Closes the connection: the rest of the body would be parsed as the next request. */
const tooManyBodies = (): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 503, 'Too many request bodies at once; retry later.', {
    headers: { 'Retry-After': '1', Connection: 'close' },
  });

const tooManyLargeBodies = (): AppError =>
  tooManyRequests('RATE_LIMITED', 'Too many large bodies at once; retry later.', 1);

const tooManySlowBodies = (): AppError =>
  tooManyRequests(
    'RATE_LIMITED',
    'Too many incomplete request bodies; send each body at once.',
    RETRY_AFTER_SECONDS,
  );

/** By client network; a network without any takes no memory. */
const createCounts = () => {
  const counts = new Map<string, number>();
  const get = (network: string): number => counts.get(network) ?? 0;
  return {
    get,
    add: (network: string, amount: number): void => {
      const count = get(network) + amount;
      if (count === 0) counts.delete(network);
      else counts.set(network, count);
    },
  };
};

/**
 * Limits slow bodies per client network, and the memory of all bodies per client network and in total. `abort` is called
 * with a 503 when the memory of an incomplete body is needed for another one. An ordinary body is complete within
 * milliseconds, so the oldest is one that a client keeps incomplete; the lowest rate would be that of a body which has
 * just begun.
 */
export const createBodyQuotas = () => {
  const slowBodies = createCounts();
  const networkBytes = createCounts();
  /** Of the incomplete bodies, the oldest first. */
  const evictions = new Set<() => void>();
  let totalBytes = 0;

  /** Adds a body, and ends older ones until the bytes have room. Returns false when none is left. */
  const makeRoom = (evictSelf: () => void, bytes: number): boolean => {
    evictions.add(evictSelf);
    for (const evict of evictions) {
      if (totalBytes + bytes <= LIMITS.bytes) return true;
      if (evict === evictSelf) break;
      evict();
    }
    return false;
  };

  const hasTooManySlowBodies = (networks: ClientNetworks): boolean =>
    networks.some(
      (network, index) =>
        slowBodies.get(network) >= LIMITS.slowBodies * (index === 0 ? 1 : WIDER_NETWORK_FACTOR),
    );

  return (networks: ClientNetworks, abort: (error: AppError) => void) => {
    const [network] = networks;
    let reservedBytes = 0;
    let isSlow = false;

    const addBytes = (bytes: number) => {
      reservedBytes += bytes;
      totalBytes += bytes;
      networkBytes.add(network, bytes);
    };
    const setSlow = (slow: boolean) => {
      if (slow !== isSlow) for (const each of networks) slowBodies.add(each, slow ? 1 : -1);
      isSlow = slow;
    };
    const endTransfer = () => {
      evictions.delete(evict);
      setSlow(false);
    };
    const release = () => {
      endTransfer();
      addBytes(-reservedBytes);
    };
    const evict = () => {
      release();
      abort(tooManyBodies());
    };

    return {
      /**
       * Reserves memory for received bytes. When that of all is used up, older incomplete bodies end.
       * @returns 429 when the memory of the client network is used up, 503 when no older body is incomplete
       */
      reserve: (bytes: number): AppError | undefined => {
        if (networkBytes.get(network) + bytes > LIMITS.networkBytes) return tooManyLargeBodies();
        if (!makeRoom(evict, bytes)) return tooManyBodies();
        addBytes(bytes);
        return undefined;
      },
      /** Counts the body as slow until `endTransfer`. @returns 429 when the client network has too many slow bodies */
      markSlow: (): AppError | undefined => {
        if (hasTooManySlowBodies(networks)) return tooManySlowBodies();
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

export type BodyQuota = ReturnType<ReturnType<typeof createBodyQuotas>>;
