import { type ClientNetworks, WIDER_NETWORK_FACTOR } from '@platform/shared/http/client-address';

/** The gateway's connections to an instance of a service. */
export const MAX_UPSTREAM_CONNECTIONS = 256;
/**
 * The requests in flight at an instance that have the limit `sign-in`. More of them would wait for a hash in
 * vain, and would meanwhile take the connections to the instance, and those of the instance to Postgres, from
 * all other requests.
 */
export const MAX_SIGN_INS = MAX_UPSTREAM_CONNECTIONS / 2;
/**
 * While more sign-ins are in flight than half of MAX_SIGN_INS, only networks with fewer than this number get
 * another one. Otherwise the sign-ins of attackers that wait for a hash would take the places of others,
 * before auth-service can let the networks take turns.
 */
const SIGN_INS_WHEN_CROWDED = 1;
/** The memory for bodies, and the memory for unread responses. */
export const MEMORY_BYTES = 64 * 1_024 * 1_024;
/** The memory for all other services together. */
export const OTHER_SERVICES_BYTES = MEMORY_BYTES / 2;

/**
 * The amount that a client network may hold in the gateway: `network` for a network, `WIDER_NETWORK_FACTOR`
 * times as much for the wider one, and `total` for all. `RATE_LIMIT_SCALE` does not multiply these limits,
 * because they bound memory and connections, which do not depend on the request rate.
 */
export const SHARES = {
  requests: { network: MAX_UPSTREAM_CONNECTIONS / 4, total: Number.POSITIVE_INFINITY },
  crowdedSignIns: { network: SIGN_INS_WHEN_CROWDED, total: Number.POSITIVE_INFINITY },
  /** Bodies that are incomplete after a second. An ordinary body arrives together with its headers. */
  slowBodies: { network: 50, total: Number.POSITIVE_INFINITY },
} as const;

/**
 * A network's share of the memory for bodies or for unread responses. @param total the memory for all
 * networks
 */
export const toMemoryShare = (total: number) => ({ network: MEMORY_BYTES / 8, total });

/** Counts what each client network holds. A network that holds nothing takes no memory. */
export const createShares = ({ network: share, total: totalShare }: { network: number; total: number }) => {
  const held = new Map<string, number>();
  let total = 0;
  const get = (network: string): number => held.get(network) ?? 0;
  return {
    isNetworkFull: (networks: ClientNetworks, amount: number): boolean =>
      networks.some(
        (network, index) => get(network) + amount > share * (index === 0 ? 1 : WIDER_NETWORK_FACTOR),
      ),
    isFull: (amount: number): boolean => total + amount > totalShare,
    add: (networks: ClientNetworks, amount: number): void => {
      total += amount;
      for (const network of networks) {
        const sum = get(network) + amount;
        if (sum === 0) held.delete(network);
        else held.set(network, sum);
      }
    },
  };
};
