import { AppError, tooManyRequests } from '@platform/shared/errors/app-error';
import { createShares } from '@platform/shared/http/shares';
import type { ClientNetworks } from '@platform/shared/network/client-address';
import type { NetworkLimits } from './network-limits.ts';

/** A slow body ends after 10 s at the latest. */
const BODY_RETRY_SECONDS = 10;
/** A body has a rate only after a while. Otherwise one that has just begun would be the slowest of all. */
const RATE_AFTER_MILLISECONDS = 1_000;

const tooManyLargeBodies = () =>
  tooManyRequests('RATE_LIMITED', 'Too many large bodies at the same time; retry later.', 1);
const tooManySlowBodies = () =>
  tooManyRequests(
    'RATE_LIMITED',
    'Too many incomplete request bodies; send each body at once.',
    BODY_RETRY_SECONDS,
  );
/** Closes the connection, because the rest of the body would be parsed as the next request. */
const tooManyBodies = (): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 503, 'Too many request bodies at the same time; retry later.', {
    headers: { 'Retry-After': '1', Connection: 'close' },
  });

type IncompleteBody = { startedAt: number; bytes: () => number; evict: () => void };

/** Bytes per second; undefined for a body that has just begun. */
const getRate = ({ startedAt, bytes }: IncompleteBody, now: number): number | undefined => {
  const milliseconds = now - startedAt;
  return milliseconds < RATE_AFTER_MILLISECONDS ? undefined : bytes() / milliseconds;
};

/** Limits slow bodies per client network, and the memory of all bodies per client network and in total. */
export const createBodyShares = (limits: NetworkLimits, getTime: () => number) => {
  const slowBodies = createShares(limits.slowBodies);
  const memory = createShares(limits.bodyBytes);
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

  /** Aborts the slowest bodies until there is room. False if only `own` is left. */
  const makeRoom = (own: IncompleteBody, bytes: number): boolean => {
    while (memory.isFull(bytes)) {
      const slowest = findSlowest();
      if (slowest === undefined || slowest === own) return false;
      slowest.evict();
    }
    return true;
  };

  /** `abort` is called with a 503 if the memory of the incomplete body is needed for another one. */
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
       * Reserves memory for received bytes. If the total is exhausted, the slowest incomplete bodies are
       * aborted.
       * @returns 429 if the memory of the client network is exhausted, 503 if no other body is slower
       */
      reserve: (bytes: number): AppError | undefined => {
        if (memory.isShareFull([networks[0]], bytes)) return tooManyLargeBodies();
        if (!makeRoom(body, bytes)) return tooManyBodies();
        reserveBytes(bytes);
        return undefined;
      },
      /**
       * Counts the body as slow until `endTransfer`. @returns 429 if the client network has too many slow
       * bodies
       */
      markSlow: (): AppError | undefined => {
        if (slowBodies.isShareFull(networks, 1)) return tooManySlowBodies();
        setSlow(true);
        return undefined;
      },
      /** Call this when the body was received, or reading it was aborted. */
      endTransfer,
      /** Ends the transfer and frees the reserved memory. */
      release,
    };
  };
};
