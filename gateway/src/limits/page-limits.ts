import { isWithin } from '../upstreams.ts';

/** Requests for pages and their files, per minute and client network. They bound the bytes that are written. */
export const PAGE_LIMITS = { documentation: 60 } as const;
export type PageLimit = keyof typeof PAGE_LIMITS;

/** The first prefix that matches the path decides. */
const PREFIXES: readonly [prefix: string, limit: PageLimit | undefined][] = [
  ['/openapi.json', 'documentation'],
  ['/api/v1/docs', 'documentation'],
  ['/api/v1', undefined],
  ['/api', 'documentation'],
];

/**
 * Unlike the limits of operations, this compares the path as it is: neither the gateway nor a service finds a
 * page under another spelling.
 */
export const findPageLimit = (path: string): PageLimit | undefined =>
  PREFIXES.find(([prefix]) => isWithin(path, prefix))?.[1];
