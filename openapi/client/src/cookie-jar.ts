type Cookie = { pair: string; expiresAt: number };

/** The cookies of one gateway, for runtimes whose `fetch` stores none. */
export type CookieJar = {
  /** The `Cookie` header to send; undefined if there are no cookies. */
  header: () => string | undefined;
  /** Applies the `Set-Cookie` headers of a response. */
  store: (headers: Headers) => void;
};

const parseExpiry = (attributes: string[]): number => {
  const find = (name: string) =>
    attributes.find((attribute) => attribute.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1);
  const [maxAge, expires] = [find('max-age'), find('expires')];
  if (maxAge !== undefined) return Date.now() + Number(maxAge) * 1_000;
  return expires === undefined ? Number.POSITIVE_INFINITY : Date.parse(expires);
};

/**
 * Node's `fetch` stores no cookies. A browser stores them itself and hides them from scripts, so the jar
 * stays empty there. Clients that share a jar behave like tabs of one browser.
 */
export const createCookieJar = (): CookieJar => {
  const cookies = new Map<string, Cookie>();
  return {
    header: () => {
      const valid = [...cookies.values()].filter(({ expiresAt }) => expiresAt > Date.now());
      return valid.length === 0 ? undefined : valid.map(({ pair }) => pair).join('; ');
    },
    store: (headers) => {
      // Safari before 17 lacks getSetCookie; browsers hide these headers anyway.
      for (const line of headers.getSetCookie?.() ?? []) {
        const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
        const name = pair.slice(0, pair.indexOf('='));
        cookies.set(name, { pair, expiresAt: parseExpiry(attributes) });
      }
    },
  };
};
