import { type AppError, tooManyRequests, unavailable } from '@platform/shared/errors/app-error';

const MEBIBYTE = 1_024 * 1_024;

/**
 * `RATE_LIMIT_SCALE` does not multiply these limits: they bound memory and connections, which do not depend on the allowed
 * request rate, and a body that arrives together with its headers is never slow.
 */
const LIMITS = {
  slowBodiesPerSubnet: 50,
  bytesPerSubnet: 16 * MEBIBYTE,
  bytes: 64 * MEBIBYTE,
};

/** A slow body ends after 10 s at the latest. */
const RETRY_AFTER_SECONDS = 10;

type Usage = { bodies: number; slowBodies: number; bytes: number };

/** The share of one request body. */
export type BodyQuota = {
  /** Reserves memory. @returns 429 when the quota of the client network is used up, 503 when the quota of all is */
  reserve: (bytes: number) => AppError | undefined;
  /** Counts the body as slow until `endTransfer`. @returns 429 when the client network has too many slow bodies */
  markSlow: () => AppError | undefined;
  /** The body was received, or reading it was aborted. */
  endTransfer: () => void;
  /** Frees the reserved memory. */
  release: () => void;
};

/** Limits slow bodies per client network, and the memory of all bodies per client network and in total. */
export const createBodyQuotas = () => {
  const usages = new Map<string, Usage>();
  let totalBytes = 0;

  return (clientSubnet: string): BodyQuota => {
    const usage = usages.get(clientSubnet) ?? { bodies: 0, slowBodies: 0, bytes: 0 };
    usages.set(clientSubnet, usage);
    usage.bodies += 1;
    let reservedBytes = 0;
    let isSlow = false;
    const addBytes = (bytes: number) => {
      reservedBytes += bytes;
      usage.bytes += bytes;
      totalBytes += bytes;
    };
    const endTransfer = () => {
      if (isSlow) usage.slowBodies -= 1;
      isSlow = false;
    };
    return {
      reserve: (bytes) => {
        if (usage.bytes + bytes > LIMITS.bytesPerSubnet)
          return tooManyRequests('RATE_LIMITED', 'Too many large bodies at once; retry later.', 1);
        if (totalBytes + bytes > LIMITS.bytes)
          return unavailable('Too many request bodies at once; retry later.');
        addBytes(bytes);
        return undefined;
      },
      markSlow: () => {
        if (usage.slowBodies >= LIMITS.slowBodiesPerSubnet)
          return tooManyRequests(
            'RATE_LIMITED',
            'Too many incomplete request bodies; send each body at once.',
            RETRY_AFTER_SECONDS,
          );
        isSlow = true;
        usage.slowBodies += 1;
        return undefined;
      },
      endTransfer,
      release: () => {
        endTransfer();
        addBytes(-reservedBytes);
        usage.bodies -= 1;
        if (usage.bodies === 0) usages.delete(clientSubnet);
      },
    };
  };
};
