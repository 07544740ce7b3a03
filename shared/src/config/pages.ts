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

/**
 * The pages and their origin, before `readPages` judges PUBLIC_URL: for checks of other variables.
 * @throws ConfigError if the origin is missing
 */
export const findPages = (env: Variables): PagesSettings => {
  const names = findPageNames(env);
  const { NODE_ENV, PUBLIC_URL: url } = env;
  if (names.length === 0) return { names, origin: undefined };
  if (url === undefined && NODE_ENV === 'production')
    throw new ConfigError('PUBLIC_URL is required with PAGES');
  return { names, origin: url === undefined ? undefined : new URL(url).origin };
};

/** @throws ConfigError if browsers could not use the pages at PUBLIC_URL */
export const readPages = (env: Variables): PagesSettings => {
  const pages = findPages(env);
  const { NODE_ENV, PUBLIC_URL: url } = env;
  if (pages.origin === undefined || url === undefined) return pages;
  const problems = [
    // The pages and the API share the origin, and both are at its root.
    ...(new URL(url).href === `${pages.origin}/` ? [] : ['must have no path']),
    ...(NODE_ENV === 'production' && isUnencrypted(url) ? ['must use https'] : []),
  ];
  if (problems.length > 0) throw new ConfigError(`PUBLIC_URL ${problems.join(' and ')} with PAGES`);
  return pages;
};

const CALLBACKS: Record<PageName, readonly string[]> = {
  console: ['/console/callback/{provider}'],
  account: ['/account/customer/callback/{provider}', '/account/employee/callback/{provider}'],
};

/** The addresses of the pages to which an OpenID Connect provider returns. `{provider}` stands for its name. */
export const listPageCallbacks = ({ names, origin }: PagesSettings): string[] =>
  origin === undefined ? [] : names.flatMap((name) => CALLBACKS[name].map((path) => origin + path));
