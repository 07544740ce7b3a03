import type { Upstream } from '../upstreams.ts';

/** Routes that fail for the same reasons. An instance that fails one group is avoided for that group only. */
export const ROUTE_GROUPS = ['passwords', 'codes', 'providers', 'rest'] as const;
export type RouteGroup = (typeof ROUTE_GROUPS)[number];

/** `codes` has all whose codes or challenges are in Redis. The first match counts; the method does not. */
const ROUTES: readonly [RouteGroup, RegExp][] = [
  ['providers', /\/auth\/(?:admin\/)?(?:oidc|identities)\//],
  ['codes', /\/auth\/(?:admin\/)?(?:.+\/email\/|email\/|(?:sign-in\/)?(?:second-factor|passkeys?)(?:\/|$))/],
  ['passwords', /\/auth\/(?:admin\/)?(?:sign-in|sign-up|register|reset-password\/me|account\/.+)$/],
];

/** All routes of another service are one group. */
export const findRouteGroup = (path: string, { isPlatform }: Pick<Upstream, 'isPlatform'>): RouteGroup =>
  (isPlatform ? ROUTES.find(([, paths]) => paths.test(path))?.[0] : undefined) ?? 'rest';

type Need = 'needed' | 'used';

/** By part of /readyz; `used`: served with less, such as sign-in without second factors. Every route uses a part that is not here. */
const NEEDS: Readonly<Record<string, Partial<Record<RouteGroup, Need>>>> = {
  'postgres-writes': { codes: 'needed', providers: 'needed', passwords: 'needed', rest: 'used' },
  redis: { codes: 'needed', providers: 'needed', passwords: 'used' },
};

export const findNeed = (part: string, group: RouteGroup): Need | undefined => {
  const { [part]: needs = { [group]: 'used' } } = NEEDS;
  return needs[group];
};
