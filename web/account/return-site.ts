import { getSettings } from '../page/settings.ts';
import { readDraft, saveDraft } from '../session/drafts.ts';
import { parseReturnTo } from './return-to.ts';

/** The address in `returnTo` of a query, if the page may go there. */
export const findReturnTo = (query: string): URL | undefined =>
  parseReturnTo(
    new URLSearchParams(query).get('returnTo'),
    window.location.origin,
    getSettings().returnOrigins,
  );

const DRAFT = 'return-site';

const isListed = ({ origin }: URL): boolean => getSettings().returnOrigins.includes(origin);

/** Remembers the listed site that the person comes from, in this tab: later pages lead back to it, too. */
export const rememberReturnSite = (query: string): void => {
  const url = findReturnTo(query);
  const returnTo = new URLSearchParams(query).get('returnTo');
  if (returnTo && !url)
    // biome-ignore lint/suspicious/noConsole: an engineer would only see that the sign-in ends in the own account.
    console.warn(
      `returnTo is ignored: ${returnTo} is neither on an origin in ACCOUNT_RETURN_ORIGINS nor a page here`,
    );
  if (url && isListed(url)) saveDraft(DRAFT, url.href);
};

/** Any script of the page's origin can change the stored address, so it is judged again. */
export const readReturnSite = (): URL | undefined => {
  const url = findReturnTo(`returnTo=${encodeURIComponent(readDraft(DRAFT))}`);
  return url && isListed(url) ? url : undefined;
};
