import { setTimeout as delay } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { createShares, tooManyRequestsAtOnce } from '../../http/shares.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import type { SecurityHandler } from '../../openapi/operation-router.ts';
import type { AuthenticatedService } from './service-credentials.ts';
import { createTurns } from './service-turns.ts';

/**
 * What each service may have at an instance, so that no service slows the responses to another one. More than
 * this many requests would only wait for each other.
 */
const SERVICE_SHARES = {
  /** From the head of a request until its response is sent, without those that wait for an event. */
  requests: { each: 32 },
  /** Readers that wait for an event. */
  waiting: { each: 32 },
} as const;

type Limit = keyof typeof SERVICE_SHARES;

/**
 * A client that ignores `Retry-After` repeats a rejected request at once. The delay bounds how often, and
 * varies, so that hundreds of clients do not return in the same millisecond.
 */
const REJECTION_DELAY_MILLISECONDS = { min: 250, max: 750 };

/** The caller of an internal operation. */
export type ServiceCaller = AuthenticatedService & {
  /** The request waits for an event from now on, and is no longer in flight. @throws AppError 429 */
  beginWaiting: () => Promise<void>;
  /** Runs the work when the earlier work of this service has ended. @throws AppError 503 */
  inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
};

const createPlaces = (services: Iterable<string>, metrics: Pick<Metrics, 'counter'>) => {
  const shares = {
    requests: createShares(SERVICE_SHARES.requests),
    waiting: createShares(SERVICE_SHARES.waiting),
  };
  const countRejection = metrics.counter(
    'service_share_rejections_total',
    'Requests of another service that were rejected because it had too many at the same time',
    { caller: [...services], limit: ['requests', 'waiting'] },
  );
  return {
    /** Returns a function that releases the place; undefined if the share is full. */
    take: (limit: Limit, caller: string): (() => void) | undefined => {
      const share = shares[limit];
      if (share.isShareFull([caller], 1)) return undefined;
      share.add([caller], 1);
      return () => share.add([caller], -1);
    },
    /** @throws AppError 429 */
    reject: async (limit: Limit, caller: string): Promise<never> => {
      countRejection({ caller, limit });
      const { min, max } = REJECTION_DELAY_MILLISECONDS;
      await delay(min + Math.random() * (max - min));
      throw tooManyRequestsAtOnce();
    },
  };
};

/**
 * Limits the requests that each service has in flight, after its secret was checked. Once the client has
 * disconnected, a waiting request releases its place at once, and any other one when its handler has ended:
 * otherwise a service that does not wait for responses could cause any number of queries.
 */
export const withShares = (
  authenticate: SecurityHandler<AuthenticatedService>,
  services: Iterable<string>,
  metrics: Pick<Metrics, 'counter'>,
): SecurityHandler<ServiceCaller> => {
  const { take, reject } = createPlaces(services, metrics);
  const takeTurn = createTurns();
  const hold = async ({ state }: Request, res: Response, service: string) => {
    // The response of a client that has already disconnected emits no `close` again, which would release a place.
    if (res.closed) return { beginWaiting: async () => undefined };
    let release = take('requests', service) ?? (await reject('requests', service));
    let isWaiting = false;
    res.once('close', () => {
      const handled = isWaiting ? undefined : state.handling;
      void Promise.resolve(handled).then(
        () => release(),
        () => release(),
      );
    });
    return {
      beginWaiting: async () => {
        release();
        // A rejected reader is not in flight during the delay.
        release = () => undefined;
        release = take('waiting', service) ?? (await reject('waiting', service));
        isWaiting = true;
      },
    };
  };
  return async (req, res) => {
    const { service } = await authenticate(req, res);
    const inTurn: ServiceCaller['inTurn'] = (work) => takeTurn(service, work);
    return { service, inTurn, ...(await hold(req, res, service)) };
  };
};
