import { tooManyRequests } from '@platform/shared/errors/app-error';
import type { ClientNetworks } from '@platform/shared/http/client-address';
import type { GatewayMetrics } from '../gateway-metrics.ts';
import type { Upstream } from '../upstreams.ts';
import { createBodyShares } from './body-shares.ts';
import { createHoldings, MEMORY_BYTES, OTHER_SERVICES_BYTES, SHARES } from './holdings.ts';
import { createUnreadShares } from './unread-shares.ts';

const tooManyRequestsAtOnce = () =>
  tooManyRequests('RATE_LIMITED', 'Too many requests at once; retry later.', 1);

type ShareMetrics = Pick<GatewayMetrics, 'countRateLimited'>;

/** Limits the requests in flight. @throws AppError 429 */
const createRequestShares = (metrics: ShareMetrics) => {
  const requests = createHoldings(SHARES.requests);
  /** @returns what releases the request, once it is no longer in flight */
  return (networks: ClientNetworks): (() => void) => {
    if (requests.isNetworkFull(networks, 1)) {
      metrics.countRateLimited({ limit: 'requests' });
      throw tooManyRequestsAtOnce();
    }
    requests.add(networks, 1);
    return () => requests.add(networks, -1);
  };
};

/** What the gateway holds for each client network, in one place: requests, bodies and unread responses. */
export const createNetworkShares = (
  metrics: ShareMetrics,
  getTime = () => performance.now(),
  totalBytes = MEMORY_BYTES,
) => ({
  holdRequest: createRequestShares(metrics),
  openBody: createBodyShares(totalBytes, getTime),
  holdUnread: createUnreadShares(totalBytes, metrics),
});

export type NetworkShares = ReturnType<typeof createNetworkShares>;
export type BodyShare = ReturnType<NetworkShares['openBody']>;

/**
 * The shares of an upstream. What a network waits for at another service counts neither against its requests to the platform nor to a
 * third service; the memory of all other services is one, which bounds that of the process.
 */
export const createShareFinder = (metrics: ShareMetrics) => {
  const platform = createNetworkShares(metrics);
  const others = createNetworkShares(metrics, undefined, OTHER_SERVICES_BYTES);
  return ({ isPlatform }: Upstream): NetworkShares =>
    isPlatform ? platform : { ...others, holdRequest: createRequestShares(metrics) };
};
