import { httpUrl, isUnencrypted } from './addresses.ts';
import { ConfigError, text } from './env.ts';

export const PAGE_NAMES = ['console', 'account'] as const;
export type PageName = (typeof PAGE_NAMES)[number];

/** The gateway serves the pages. The services accept its address from them. */
export const pagesVariables = {
  PAGES: text({ choices: ['on', 'off', ...PAGE_NAMES], default: undefined }),
  PUBLIC_URL: httpUrl({ default: undefined }),
};

type Variables = { NODE_ENV: string; PAGES: string | undefined; PUBLIC_URL: string | undefined };

type PagesSettings = {
  /** The pages that the gateway serves. */
  names: readonly PageName[];
  /** The origin of the pages. It may be undefined in development. */
  origin: string | undefined;
};

/** The pages that are served: all in development, none in production, unless PAGES is set. */
export const findPageNames = ({
  NODE_ENV,
  PAGES,
}: Pick<Variables, 'NODE_ENV' | 'PAGES'>): readonly PageName[] => {
  const value = PAGES ?? (NODE_ENV === 'production' ? 'off' : 'on');
  if (value === 'on') return PAGE_NAMES;
  return PAGE_NAMES.filter((name) => name === value);
};

/** @throws ConfigError if browsers could not use the pages at PUBLIC_URL */
const readOrigin = ({ NODE_ENV, PUBLIC_URL: url }: Variables): string | undefined => {
  const isProduction = NODE_ENV === 'production';
  if (url === undefined) {
    if (isProduction) throw new ConfigError('PUBLIC_URL is required with PAGES');
    return undefined;
  }
  const { origin, href } = new URL(url);
  // The pages and the API share the origin, and both are at its root.
  if (href !== `${origin}/`) throw new ConfigError('PUBLIC_URL must have no path with PAGES');
  if (isProduction && isUnencrypted(url)) throw new ConfigError('PUBLIC_URL must use https with PAGES');
  return origin;
};

/** @throws ConfigError */
export const readPages = (env: Variables): PagesSettings => {
  const names = findPageNames(env);
  return { names, origin: names.length === 0 ? undefined : readOrigin(env) };
};

const CALLBACKS: Record<PageName, readonly string[]> = {
  console: ['/console/callback'],
  account: ['/account/customer/callback', '/account/employee/callback'],
};

/** The addresses of the pages to which an OpenID Connect provider returns. */
export const listPageCallbacks = ({ names, origin }: PagesSettings): string[] =>
  origin === undefined ? [] : names.flatMap((name) => CALLBACKS[name].map((path) => origin + path));
