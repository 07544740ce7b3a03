import { tooManyRequests } from '@platform/shared/errors/app-error';
import type { ClientNetworks } from '@platform/shared/http/client-address';
import type { GatewayMetrics } from '../gateway-metrics.ts';
import { createBodyShares } from './body-shares.ts';
import { createHoldings, SHARES } from './holdings.ts';
import { createUnreadShares } from './unread-shares.ts';

const tooManyRequestsAtOnce = () =>
  tooManyRequests('RATE_LIMITED', 'Too many requests at once; retry later.', 1);

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
