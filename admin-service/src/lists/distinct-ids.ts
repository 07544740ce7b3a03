/** Each id once, in the order of their first occurrence. */
export const toDistinctIds = (ids: readonly string[]): string[] => [...new Set(ids)];
