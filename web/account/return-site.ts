import { getSettings } from '../page/settings.ts';
import { parseReturnTo } from './return-to.ts';

/** The address in `returnTo` of a query, if the page may go there. */
export const findReturnTo = (query: string): URL | undefined =>
  parseReturnTo(
    new URLSearchParams(query).get('returnTo'),
    window.location.origin,
    getSettings().returnOrigins,
  );

const KEY = 'platform.return-site';

const isListed = ({ origin }: URL): boolean => getSettings().returnOrigins.includes(origin);

/** Remembers the listed site that the person comes from, in this tab: later pages lead back to it, too. */
export const rememberReturnSite = (): void => {
  const url = findReturnTo(window.location.search);
  if (!(url && isListed(url))) return;
  try {
    sessionStorage.setItem(KEY, url.href);
  } catch {
    // Later pages have no way back.
  }
};

/** Any script of the page's origin can change the stored address, so it is judged again. */
export const readReturnSite = (): URL | undefined => {
  try {
    const url = findReturnTo(`returnTo=${encodeURIComponent(sessionStorage.getItem(KEY) ?? '')}`);
    return url && isListed(url) ? url : undefined;
  } catch {
    return undefined;
  }
};
