/** The ids in lower case, each once, in the order of their first occurrence. */
export const toDistinctIds = (ids: readonly string[]): string[] => [
  ...new Set(ids.map((id) => id.toLowerCase())),
];
