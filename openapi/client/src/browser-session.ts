type Page = { document?: { cookie: string }; location?: { protocol: string } };

/** Has no lifetime, so that the browser deletes it when it is closed. */
const COOKIE = 'browser-session=1';

/**
 * Whether the browser is the one in which the cookie was set, or has restored it. `begins` sets it before. False
 * outside a page, and where the browser stores no cookies.
 */
export const isBrowserSession = (begins = false): boolean => {
  const { document, location } = globalThis as Page;
  try {
    if (begins && document)
      document.cookie = `${COOKIE}; Path=/; SameSite=Lax${location?.protocol === 'https:' ? '; Secure' : ''}`;
    return document?.cookie.split('; ').includes(COOKIE) ?? false;
  } catch {
    return false;
  }
};
