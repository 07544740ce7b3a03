import { unavailable } from '@platform/shared/errors/app-error';
import { createShares, tooManyRequestsAtOnce } from '@platform/shared/http/shares';
import {
  type ClientNetworks,
  getClientAddress,
  toClientNetworks,
} from '@platform/shared/network/client-address';
import type { RequestHandler } from 'express';
import type { GatewayMetrics } from '../gateway-metrics.ts';
import type { Upstream } from '../upstreams.ts';
import { createBodyShares } from './body-shares.ts';
import { MAX_SIGN_INS, MEMORY_BYTES, OTHER_SERVICES_BYTES, SHARES } from './shares.ts';
import { createUnreadShares } from './unread-shares.ts';

type ShareMetrics = Pick<GatewayMetrics, 'countRateLimited'>;

/** `instances` is the number of instances that get requests now. */
type InFlight = { networks: ClientNetworks; isSignIn: boolean; instances: number };

/** Limits the requests in flight, and the sign-ins among them. @throws AppError 429, 503 */
const createRequestShares = (metrics: ShareMetrics) => {
  const requests = createShares(SHARES.requests);
  const signInsOfNetworks = createShares(SHARES.crowdedSignIns);
  let signIns = 0;
  const isFullForSignIn = ({ networks, instances }: InFlight): boolean => {
    const free = MAX_SIGN_INS * instances - signIns;
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

/** Limits what each client network holds in the gateway: requests, bodies and unread responses. */
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
 * Counts what is still unread when a response ends, whether the gateway or a service wrote it. The gateway's
 * own responses count against `ownShares`. The proxy also counts while it streams a response.
 */
export const limitUnread =
  (ownShares: NetworkShares): RequestHandler =>
  (req, res, next) => {
    res.once('prefinish', () => {
      if (res.writableLength === 0) return;
      const { holdUnread } = req.state.proxiedRequest?.shares ?? ownShares;
      holdUnread(res, toClientNetworks(getClientAddress(req)));
    });
    next();
  };

/**
 * Returns the shares of an upstream. Requests to another service count neither against the requests to the
 * platform nor against those to a third service. The memory of all other services is shared, which bounds the
 * memory of the process.
 */
export const createShareFinder = (metrics: ShareMetrics) => {
  const platform = createNetworkShares(metrics);
  const others = createNetworkShares(metrics, undefined, OTHER_SERVICES_BYTES);
  return ({ isPlatform }: Pick<Upstream, 'isPlatform'>): NetworkShares =>
    isPlatform ? platform : { ...others, holdRequest: createRequestShares(metrics) };
};
