const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)(.*)$/is;

export const NOT_ENCODED =
  'must have its user and password percent-encoded, such as %2F for /, %3F for ?, %23 for #, %40 for @ and %25 for %';

/** Whether a percent-encoded text is UTF-8. */
export const isDecodable = (text: string): boolean => {
  if (!text.includes('%')) return true;
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

/**
 * A password with `/`, `?` or `#` ends the host of a URL, so that its `@` stands in what follows. Parsers then
 * complain about the port, or take the user for the host.
 * @throws TypeError that says what to encode, without the password
 */
export const requireEncodedLogin = (url: string): void => {
  const [, authority = '', rest = ''] = AUTHORITY.exec(url) ?? [];
  const isCut = !authority.includes('@') && authority.includes(':') && /^[^=]*@/.test(rest);
  const login = authority.slice(0, Math.max(0, authority.lastIndexOf('@')));
  if (isCut || !isDecodable(login)) throw new TypeError(NOT_ENCODED);
};
