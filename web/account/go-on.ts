import { addSessionToAddress } from '@platform/client/account-pages';
import { useLocation } from 'wouter';
import { usePlatform } from '../session/platform.ts';
import { readConnection, rememberPlaceAfter } from '../signing-in/connection.ts';
import { forgetTypedPassword } from '../signing-in/typed-password.ts';
import { findReturnTo, rememberReturnSite } from './return-site.ts';
import { splitPlace } from './return-to.ts';

/** Pages that have nothing to show to a signed-in person. */
const ENTRANCES: readonly string[] = ['/sign-in', '/sign-up', '/verify', '/reset-password'];

/**
 * Returns a function that leaves the page after the sign-in: for the address in `returnTo`, else for the own
 * account. A connection that waited for the sign-in is offered before.
 */
export const useGoOn = (): ((place?: string) => void) => {
  const { client, kind } = usePlatform();
  const [location, navigate] = useLocation();
  /** @param place the page on which the sign-in began, with its query as in the address bar: wouter decodes it */
  return (place = location + window.location.search) => {
    const connection = readConnection(kind);
    if (connection) {
      rememberPlaceAfter(connection, place);
      return navigate('/connect', { replace: true });
    }
    forgetTypedPassword();
    const { path, query } = splitPlace(place);
    // Again, because a sign-in as another person deletes what was remembered.
    rememberReturnSite(query);
    const returnTo = findReturnTo(query);
    const state = new URLSearchParams(query).get('state');
    // Replaces the entry of the history, so that the back button does not lead to a sign-in that is done.
    if (!returnTo) navigate(ENTRANCES.includes(path) ? '/' : place, { replace: true });
    // A client on another origin cannot read the storage of this one, so the session goes along in the address. It
    // accepts the session only with the `state` that it has sent.
    else if (returnTo.origin !== window.location.origin && state)
      window.location.replace(addSessionToAddress(client, returnTo, state));
    else window.location.replace(returnTo);
  };
};
