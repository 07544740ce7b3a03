import { unavailable } from '@platform/shared/errors/app-error';
import { createShares, tooManyRequestsAtOnce } from '@platform/shared/http/shares';
import type { ClientNetworks } from '@platform/shared/network/client-address';
import type { LimitMetrics } from './limit-metrics.ts';
import type { NetworkLimits } from './network-limits.ts';

/** `instances` is the number of instances that get requests now. */
type InFlight = { networks: ClientNetworks; isSignIn: boolean; instances: number };

/** Limits the requests in flight, and the sign-ins among them. @throws AppError 429, 503 */
export const createRequestShares = (limits: NetworkLimits, metrics: LimitMetrics) => {
  const requests = createShares(limits.requests);
  const signInsOfNetworks = createShares(limits.crowdedSignIns);
  let signIns = 0;
  const isFullForSignIn = ({ networks, instances }: InFlight): boolean => {
    const free = limits.signInsAtInstance * instances - signIns;
    return free <= 0 || (free <= signIns && signInsOfNetworks.isShareFull(networks, 1));
  };
  /** @returns a function that releases the request when it is no longer in flight */
  return (request: InFlight): (() => void) => {
    const { networks, isSignIn } = request;
    if (requests.isShareFull(networks, 1)) {
      metrics.countRateLimited({ limit: 'requests' });
      throw tooManyRequestsAtOnce();
    }
    if (isSignIn && isFullForSignIn(request)) throw unavailable('Too many concurrent sign-ins; retry later.');
    const count = (amount: 1 | -1): void => {
      requests.add(networks, amount);
      if (!isSignIn) return;
      signIns += amount;
      signInsOfNetworks.add(networks, amount);
    };
    count(1);
    return () => count(-1);
  };
};
