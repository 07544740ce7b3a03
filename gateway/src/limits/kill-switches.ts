import { BlockList, isIP } from 'node:net';
import { ConfigError, listOf } from '@platform/shared/config/env';
import { tooManyRequests, unavailable } from '@platform/shared/errors/app-error';
import { getClientAddress } from '@platform/shared/network/client-address';
import type { RequestHandler } from 'express';
import { PAGE_PREFIXES } from '../pages/page-paths.ts';
import { isHealthRoute, isUnambiguousPath, isWithin, stripQuery, type Upstream } from '../upstreams.ts';
import type { LimitMetrics } from './limit-metrics.ts';
import { toComparablePath } from './operation-limits.ts';

/** An operator ends an incident in minutes or hours, so clients need not ask more often. */
const RETRY_SECONDS = 300;

const FAMILIES = { 4: 'ipv4', 6: 'ipv6' } as const;

/** Adds an address, or a network such as `192.0.2.0/24`. @throws Error if it is neither */
const addNetwork = (blocked: BlockList, item: string): void => {
  const [address = '', bits, ...others] = item.split('/');
  const family = FAMILIES[isIP(address) as keyof typeof FAMILIES];
  if (family === undefined || others.length > 0 || !/^\d*$/.test(bits ?? ''))
    throw new TypeError(`${item} is not an address or network`);
  if (bits === undefined) blocked.addAddress(address, family);
  else blocked.addSubnet(address, Number.parseInt(bits, 10), family);
};

const isNetwork = (item: string): boolean => {
  try {
    addNetwork(new BlockList(), item);
    return true;
  } catch {
    return false;
  }
};

export const networkList = listOf(isNetwork, 'addresses or networks such as 192.0.2.0/24');

export const pathPrefixList = listOf(isUnambiguousPath, 'path prefixes such as /api/v1/contact');

/** Pages of documentation that no OpenAPI document lists; those of auth-service are among its own paths. */
const DOCUMENTATION = ['/openapi.json', '/api/v1/docs'];

/**
 * A prefix without its beginning, such as `/contact`, would switch nothing off, and nobody would notice.
 * @throws ConfigError that names the prefixes below which there is nothing
 */
export const requireMatchingPaths = (
  prefixes: readonly string[],
  { hasOperation, upstreams }: { hasOperation: (path: string) => boolean; upstreams: readonly Upstream[] },
): void => {
  const services = upstreams.filter(({ isPlatform }) => !isPlatform);
  const others = [...PAGE_PREFIXES, ...DOCUMENTATION, ...services.flatMap((service) => service.prefixes)].map(
    toComparablePath,
  );
  const matches = (prefix: string): boolean =>
    hasOperation(prefix) ||
    others.some((other) => isWithin(other, prefix) || isWithin(prefix, other)) ||
    upstreams.some(({ pages }) => pages?.test(prefix));
  const unknown = prefixes.filter((prefix) => !matches(toComparablePath(prefix)));
  if (unknown.length === 0) return;
  throw new ConfigError(
    `BLOCKED_PATHS has ${unknown.join(', ')}, where the gateway serves nothing; use paths such as /api/v1/contact`,
  );
};

/** Rejects the requests of these networks, apart from health checks, with 429. */
export const blockNetworks = (
  networks: readonly string[],
  { countRateLimited }: LimitMetrics,
): RequestHandler => {
  const blocked = new BlockList();
  for (const network of networks) addNetwork(blocked, network);
  return (req, _res, next) => {
    const address = getClientAddress(req);
    const family = FAMILIES[isIP(address) as keyof typeof FAMILIES];
    if (family === undefined || isHealthRoute(req.url) || !blocked.check(address, family)) return next();
    countRateLimited({ limit: 'blocked' });
    throw tooManyRequests('RATE_LIMITED', 'This network is blocked; retry later.', RETRY_SECONDS);
  };
};

/**
 * Rejects requests below these paths, apart from health checks and the stylesheets of the pages, with 503.
 * Other cases, encodings and slashes of a path count, too.
 */
export const blockPaths = (prefixes: readonly string[]): RequestHandler => {
  const blocked = prefixes.map(toComparablePath);
  return (req, _res, next) => {
    const path = toComparablePath(stripQuery(req.url));
    if (isHealthRoute(req.url) || !blocked.some((prefix) => isWithin(path, prefix))) return next();
    throw unavailable('This part of the platform is switched off; retry later.', undefined, RETRY_SECONDS);
  };
};
