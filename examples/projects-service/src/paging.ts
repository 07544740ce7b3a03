import type { Request } from 'express';

/** The query parameters of a list: `limit` records, at most 100, after `cursor`. */
export const readPaging = ({ query: { cursor, limit } }: Request): { cursor: string; limit: number } => ({
  cursor: typeof cursor === 'string' ? cursor : '',
  limit: Math.min(Math.max(Math.trunc(Number(limit ?? 20)) || 1, 1), 100),
});
