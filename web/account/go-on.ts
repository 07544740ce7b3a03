import { addSessionToAddress } from '@platform/client/account-pages';
import { useLocation, useSearch } from 'wouter';
import { getSettings } from '../page/settings.ts';
import { usePlatform } from '../session/platform.ts';
import { parseReturnTo } from './return-to.ts';

const findReturnTo = (search: string): URL | undefined =>
  parseReturnTo(
    new URLSearchParams(search).get('returnTo'),
    window.location.origin,
    getSettings().returnOrigins,
  );

/** Pages that have nothing to show to who is signed in. */
const ENTRANCES: readonly (string | undefined)[] = ['/sign-in', '/sign-up', '/verify'];

/**
 * Returns a function that leaves the page after the sign-in: for the address in `returnTo`, else for the own
 * account.
 */
export const useGoOn = (): ((place?: string) => void) => {
  const { client } = usePlatform();
  const [location, navigate] = useLocation();
  const search = useSearch();
  /** @param place the page on which the sign-in began, with its query */
  return (place = `${location}?${search}`) => {
    const [path, query = ''] = place.split('?', 2);
    const returnTo = findReturnTo(query);
    // Replaces the entry of the history, so that the back button does not lead to a sign-in that is done.
    if (!returnTo) navigate(ENTRANCES.includes(path) ? '/' : place, { replace: true });
    // The client of another origin cannot read the storage of this one.
    else if (returnTo.origin !== window.location.origin)
      window.location.replace(addSessionToAddress(client, returnTo));
    else window.location.replace(returnTo);
  };
};
