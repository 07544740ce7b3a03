import type { Request, Response } from 'express';
import { createShares, tooManyRequestsAtOnce } from '../../http/shares.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import type { SecurityHandler } from '../../openapi/operation-router.ts';
import type { AuthenticatedService } from './service-credentials.ts';

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

/** The caller of an internal operation. */
export type ServiceCaller = AuthenticatedService & {
  /** The request waits for an event from now on, and is no longer in flight. @throws AppError 429 */
  beginWaiting: () => void;
};

const createCounts = (services: Iterable<string>, metrics: Pick<Metrics, 'counter'>) => {
  const shares = {
    requests: createShares(SERVICE_SHARES.requests),
    waiting: createShares(SERVICE_SHARES.waiting),
  };
  const countRejection = metrics.counter(
    'service_share_rejections_total',
    'Requests of another service that were rejected because it had too many at the same time',
    { caller: [...services], limit: ['requests', 'waiting'] },
  );
  /** @returns a function that releases the place @throws AppError 429 */
  return (limit: Limit, caller: string): (() => void) => {
    const share = shares[limit];
    if (share.isShareFull([caller], 1)) {
      countRejection({ caller, limit });
      throw tooManyRequestsAtOnce();
    }
    share.add([caller], 1);
    return () => share.add([caller], -1);
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
  const take = createCounts(services, metrics);
  const hold = ({ state }: Request, res: Response, service: string): Pick<ServiceCaller, 'beginWaiting'> => {
    // The response of a client that has already disconnected emits no `close` again, which would release a place.
    if (res.closed) return { beginWaiting: () => undefined };
    let release = take('requests', service);
    let isWaiting = false;
    res.once('close', () => {
      const handled = isWaiting ? undefined : state.handling;
      void Promise.resolve(handled).then(
        () => release(),
        () => release(),
      );
    });
    return {
      beginWaiting: () => {
        const releaseRequest = release;
        release = take('waiting', service);
        isWaiting = true;
        releaseRequest();
      },
    };
  };
  return async (req, res) => {
    const authenticated = await authenticate(req, res);
    return { ...authenticated, ...hold(req, res, authenticated.service) };
  };
};
