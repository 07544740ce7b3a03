type Cookie = { pair: string; expiresAt: number };

/** The cookies of one gateway, where the platform's `fetch` keeps none. */
export type CookieJar = {
  /** The `Cookie` header to send; undefined when there is none. */
  header: () => string | undefined;
  /** Keeps and drops what an answer sets and clears. */
  store: (headers: Headers) => void;
};

const expiryOf = (attributes: string[]): number => {
  const find = (name: string) =>
    attributes.find((attribute) => attribute.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1);
  const [maxAge, expires] = [find('max-age'), find('expires')];
  if (maxAge !== undefined) return Date.now() + Number(maxAge) * 1_000;
  return expires === undefined ? Number.POSITIVE_INFINITY : Date.parse(expires);
};

/**
 * Node's `fetch` keeps no cookies; a browser keeps them itself and hides them from the page, so that there the jar stays
 * empty. Clients that share a jar are like the tabs of one browser.
 */
export const createCookieJar = (): CookieJar => {
  const cookies = new Map<string, Cookie>();
  return {
    header: () => {
      const alive = [...cookies.values()].filter(({ expiresAt }) => expiresAt > Date.now());
      return alive.length === 0 ? undefined : alive.map(({ pair }) => pair).join('; ');
    },
    store: (headers) => {
      // Before Safari 17 there is no such method, and nothing to be had.
      for (const line of headers.getSetCookie?.() ?? []) {
        const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
        const name = pair.slice(0, pair.indexOf('='));
        cookies.set(name, { pair, expiresAt: expiryOf(attributes) });
      }
    },
  };
};
