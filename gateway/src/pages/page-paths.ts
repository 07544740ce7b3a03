/** Everything that the pages consist of. The API has none of these paths. */
export const PAGE_PREFIXES = ['/console', '/account', '/.well-known'] as const;
