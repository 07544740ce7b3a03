import { getClientNetworks } from '@platform/shared/network/client-address';
import type { Request, Response } from 'express';
import type { Upstream } from '../upstreams.ts';
import { createBodyShares } from './body-shares.ts';
import type { LimitMetrics } from './limit-metrics.ts';
import { createNetworkLimits, MEMORY_BYTES, OTHER_SERVICES_BYTES } from './network-limits.ts';
import { createRequestShares } from './request-shares.ts';
import { createUnreadShares } from './unread-shares.ts';

type Options = {
  metrics: LimitMetrics;
  /** The gateway's connections to an instance of a service. */
  connections: number;
  totalBytes?: number;
  getTime?: () => number;
};

/** Limits what each client network holds in the gateway: requests, bodies and unread responses. */
export const createNetworkShares = ({
  metrics,
  connections,
  totalBytes = MEMORY_BYTES,
  getTime = () => performance.now(),
}: Options) => {
  const limits = createNetworkLimits(connections, totalBytes);
  return {
    holdRequest: createRequestShares(limits, metrics),
    openBody: createBodyShares(limits, getTime),
    holdUnread: createUnreadShares(limits, metrics),
  };
};

export type NetworkShares = ReturnType<typeof createNetworkShares>;
export type BodyShare = ReturnType<NetworkShares['openBody']>;

/**
 * Counts what is still unread when a response ends, whether the gateway or a service wrote it. The gateway's
 * own responses count against `ownShares`. The proxy also counts while it streams a response.
 */
export const limitUnread =
  (ownShares: NetworkShares) =>
  (req: Request, res: Response): void => {
    res.once('prefinish', () => {
      if (res.writableLength === 0) return;
      const { holdUnread } = req.state.proxiedRequest?.shares ?? ownShares;
      holdUnread(res, getClientNetworks(req));
    });
  };

/**
 * Returns the shares of an upstream. Requests to another service count neither against the requests to the
 * platform nor against those to a third service. The memory of all other services is shared, which bounds the
 * memory of the process.
 */
export const createShareFinder = (options: Pick<Options, 'metrics' | 'connections'>) => {
  const platform = createNetworkShares(options);
  const others = createNetworkShares({ ...options, totalBytes: OTHER_SERVICES_BYTES });
  return ({ isPlatform }: Pick<Upstream, 'isPlatform'>): NetworkShares =>
    isPlatform ? platform : { ...others, holdRequest: createNetworkShares(options).holdRequest };
};
