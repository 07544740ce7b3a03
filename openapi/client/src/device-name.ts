import bowser from 'bowser';

const BROWSERS: ReadonlySet<string> = new Set(Object.values(bowser.BROWSER_MAP));
const SYSTEMS: ReadonlySet<string> = new Set(Object.values(bowser.OS_MAP));

/** The library copies a part of the header for what it does not know, and a client can send anything. */
const findKnown = (names: ReadonlySet<string>, name: string): string | undefined =>
  names.has(name) ? name : undefined;

/**
 * Describes the device of a `User-Agent` header, such as `Chrome on Windows`; undefined if the header names
 * neither a browser nor a system. Contains known names only, so nobody can write to the reader with it. A client
 * can claim to be any device, so the name only helps its owner to recognize it.
 */
export const describeDevice = (
  userAgent: string | null | undefined,
  combine: (browser: string, system: string) => string,
): string | undefined => {
  const parser = bowser.getParser(userAgent || '-');
  const browser = findKnown(BROWSERS, parser.getBrowserName());
  const system = findKnown(SYSTEMS, parser.getOSName());
  // "Samsung Internet for Android on Android" says it twice.
  const name = browser?.replace(/ for Android$/, '');
  return name && system ? combine(name, system) : (name ?? system);
};
