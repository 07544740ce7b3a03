import { pageState } from '../page/page-state.ts';
import { inTab } from '../page/stored.ts';

/** The page to which the provider returns. Its address names the provider, so that no other one can use it. */
export const toRedirectUri = ({ callbackPath }: { callbackPath: string }, provider: string): string =>
  `${window.location.origin}${callbackPath}/${provider}`;

/**
 * Takes the address to which a provider has returned out of the address bar, before anything else runs: it
 * contains a code, which must not be in the history, in a title or in a screenshot. A reload has nothing to
 * complete.
 */
export const takeCallbackUrl = (callbackPath: string): void => {
  const { pathname, search, href } = window.location;
  if (!pathname.startsWith(`${callbackPath}/`) || search === '') return;
  pageState.set({ callbackUrl: href });
  history.replaceState(null, '', pathname);
};

/** Returns the address to which a provider has returned, once. */
export const consumeCallbackUrl = (): string | undefined => {
  const { callbackUrl } = pageState.get();
  pageState.set({ callbackUrl: undefined });
  return callbackUrl;
};

const RETURN_KEY = 'platform.return';

/** Remembers the page that a provider's page replaces, in this tab. */
export const rememberPlace = (): void => {
  const { pathname, search } = window.location;
  inTab.save(RETURN_KEY, pathname + search);
};

/** The remembered page; undefined if it is not one below `base`. */
export const readPlace = (base: string): string | undefined => {
  const place = inTab.read(RETURN_KEY);
  return place.startsWith(base) ? `/${place.slice(base.length)}` : undefined;
};

/** Returns the remembered page, once. */
export const takePlace = (base: string): string | undefined => {
  const place = readPlace(base);
  if (place !== undefined) inTab.save(RETURN_KEY, '');
  return place;
};
