import { PAGE_PREFIXES } from '../pages/page-paths.ts';
import { isWithin } from '../upstreams.ts';
import type { PageLimit } from './requests-per-minute.ts';

/** The first prefix that matches the path decides. */
const PREFIXES: readonly [prefix: string, limit: PageLimit | undefined][] = [
  ['/openapi.json', 'documentation'],
  ['/api/v1/docs', 'documentation'],
  ['/api/v1', undefined],
  ['/api', 'documentation'],
  ...PAGE_PREFIXES.map((prefix): [string, PageLimit] => [prefix, 'pages']),
];

/**
 * Unlike the limits of operations, this compares the path as it is: neither the gateway nor a service finds a
 * page under another spelling.
 */
export const findPageLimit = (path: string): PageLimit | undefined =>
  PREFIXES.find(([prefix]) => isWithin(path, prefix))?.[1];
