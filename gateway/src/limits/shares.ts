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
 * The amount that a client network may hold in the gateway. `RATE_LIMIT_SCALE` does not multiply these limits,
 * because they bound memory and connections, which do not depend on the request rate.
 */
export const SHARES = {
  requests: { each: MAX_UPSTREAM_CONNECTIONS / 4 },
  crowdedSignIns: { each: SIGN_INS_WHEN_CROWDED },
  /** Bodies that are incomplete after a second. An ordinary body arrives together with its headers. */
  slowBodies: { each: 50 },
} as const;

/**
 * A network's share of the memory for bodies or for unread responses. @param total the memory for all
 * networks
 */
export const toMemoryShare = (total: number) => ({ each: MEMORY_BYTES / 8, total });
