import { type AppError, tooManyRequests, unavailable } from '@platform/shared/errors/app-error';

const MEBIBYTE = 1_024 * 1_024;

/**
 * What request bodies may take of the gateway. `RATE_LIMIT_SCALE` does not multiply these limits: they bound memory and
 * connections, which a higher rate of requests does not add, and a body that arrives together with its headers is never slow.
 */
const LIMITS = {
  slowBodiesPerNetwork: 50,
  bytesPerNetwork: 16 * MEBIBYTE,
  bytes: 64 * MEBIBYTE,
};

/** Slow bodies end after 10 s at the latest. */
const RETRY_AFTER_SECONDS = 10;

type Usage = { bodies: number; slow: number; bytes: number };

/** The use that one body makes of the quota. */
export type BodyQuota = {
  /** Takes memory. @returns the error when there is none left: 429 for this network, 503 for everybody */
  reserve: (bytes: number) => AppError | undefined;
  /** Counts the body as slow until it has arrived. @returns 429 when its network has too many of them */
  markSlow: () => AppError | undefined;
  /** The body has arrived, or is no longer waited for. */
  endArrival: () => void;
  /** The body is no longer needed. */
  release: () => void;
};

/** Counts bodies by client network, as `toClientSubnet` names it, and the memory of all. */
export const createBodyQuotas = () => {
  const networks = new Map<string, Usage>();
  let total = 0;

  return (network: string): BodyQuota => {
    const usage = networks.get(network) ?? { bodies: 0, slow: 0, bytes: 0 };
    networks.set(network, usage);
    usage.bodies += 1;
    let reserved = 0;
    let isSlow = false;
    const add = (bytes: number) => {
      reserved += bytes;
      usage.bytes += bytes;
      total += bytes;
    };
    const endArrival = () => {
      if (isSlow) usage.slow -= 1;
      isSlow = false;
    };
    return {
      reserve: (bytes) => {
        if (usage.bytes + bytes > LIMITS.bytesPerNetwork)
          return tooManyRequests('RATE_LIMITED', 'Too many large bodies at once; retry later.', 1);
        if (total + bytes > LIMITS.bytes) return unavailable('Too many request bodies at once; retry later.');
        add(bytes);
        return undefined;
      },
      markSlow: () => {
        if (usage.slow >= LIMITS.slowBodiesPerNetwork)
          return tooManyRequests(
            'RATE_LIMITED',
            'Too many unfinished request bodies; send each body at once.',
            RETRY_AFTER_SECONDS,
          );
        isSlow = true;
        usage.slow += 1;
        return undefined;
      },
      endArrival,
      release: () => {
        endArrival();
        add(-reserved);
        usage.bodies -= 1;
        if (usage.bodies === 0) networks.delete(network);
      },
    };
  };
};
