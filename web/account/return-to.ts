/** The query of a place on these pages, such as `/sign-in?returnTo=/orders?page=2`: `?` may occur in it, too. */
export const splitPlace = (place: string): { path: string; query: string } => {
  const [path = ''] = place.split('?', 1);
  return { path, query: place.slice(path.length + 1) };
};

/** The API is no page. Servers may decode the path, ignore its case, and read several slashes as one. */
const isApi = ({ pathname }: URL): boolean => {
  try {
    return /^\/+api(\/|$)/i.test(decodeURIComponent(pathname));
  } catch {
    return true;
  }
};

/**
 * Returns the address to go to after the sign-in; undefined if it is missing, an address of the API, or on an
 * origin that is neither the page's nor listed. The parsed address decides, because browsers read `\` as `/` and ignore tabs.
 */
export const parseReturnTo = (
  value: string | null,
  pageOrigin: string,
  returnOrigins: readonly string[],
): URL | undefined => {
  if (!value || !URL.canParse(value, pageOrigin)) return undefined;
  const url = new URL(value, pageOrigin);
  // The origin of a blob: address is that of its page.
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  const isAllowed = url.origin === pageOrigin ? !isApi(url) : returnOrigins.includes(url.origin);
  return isAllowed ? url : undefined;
};
