/** These limits slow down guessing and mail bombing. Operations name them in `x-rate-limit`. */
export const OPERATION_LIMITS = {
  'sign-in': 60,
  // Counted apart from sign-ins, so that a client cannot end the sessions of others behind its address.
  refresh: 120,
  codes: 30,
  contact: 20,
} as const;
export type OperationLimit = keyof typeof OPERATION_LIMITS;

/** These limits bound the bytes that are written. page-limits.ts has their paths. */
const PAGE_LIMITS = { documentation: 60, pages: 300 } as const;
export type PageLimit = keyof typeof PAGE_LIMITS;

/** Per client network. `all` is the overall limit. */
export const REQUESTS_PER_MINUTE = { all: 600, ...OPERATION_LIMITS, ...PAGE_LIMITS } as const;
export type LimitName = keyof typeof REQUESTS_PER_MINUTE;
export const LIMIT_NAMES = Object.keys(REQUESTS_PER_MINUTE) as LimitName[];
