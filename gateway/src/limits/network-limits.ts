/** The memory for bodies, and the memory for unread responses. */
export const MEMORY_BYTES = 64 * 1_024 * 1_024;
/** The memory for all other services together. */
export const OTHER_SERVICES_BYTES = MEMORY_BYTES / 2;

/**
 * The limits of what one client network (`each`) and all networks together (`total`) may hold in the gateway.
 * `RATE_LIMIT_SCALE` does not multiply these limits, because they bound memory and connections, which do not
 * depend on the request rate.
 * @param connections the gateway's connections to an instance of a service
 * @param total the memory for bodies, and the memory for unread responses
 */
export const createNetworkLimits = (connections: number, total: number) => ({
  /** The requests in flight. */
  requests: { each: connections / 4 },
  /**
   * The requests in flight at an instance that have the limit `sign-in`. More of them would wait for a hash in
   * vain, and would meanwhile take the connections to the instance, and those of the instance to Postgres,
   * from all other requests.
   */
  signInsAtInstance: connections / 2,
  /**
   * While more sign-ins are in flight than half of these, only networks with fewer than this number get
   * another one. Otherwise the sign-ins of attackers that wait for a hash would take the places of others,
   * before auth-service can let the networks take turns.
   */
  crowdedSignIns: { each: 1 },
  /** Bodies that are incomplete after a second. An ordinary body arrives together with its headers. */
  slowBodies: { each: 50 },
  bodyBytes: { each: MEMORY_BYTES / 8, total },
  unreadBytes: { each: MEMORY_BYTES / 8, total },
});

export type NetworkLimits = ReturnType<typeof createNetworkLimits>;
