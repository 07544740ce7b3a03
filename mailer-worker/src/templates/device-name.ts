import bowser from 'bowser';

/** Undefined for what the library does not know. */
type DeviceName = { browser: string | undefined; system: string | undefined };

const BROWSERS = new Set(Object.values(bowser.BROWSER_MAP));
const SYSTEMS = new Set(Object.values(bowser.OS_MAP));

const findKnown = (names: ReadonlySet<string>, name: string): string | undefined =>
  names.has(name) ? name : undefined;

/**
 * The browser and the operating system of a user agent, such as Chrome and Windows. Only known names are
 * returned: otherwise the library copies a part of the header, with which an attacker could write to the
 * recipient.
 */
export const toDeviceName = (userAgent: string | null): DeviceName => {
  const parser = bowser.getParser(userAgent || '-');
  return {
    browser: findKnown(BROWSERS, parser.getBrowserName()),
    system: findKnown(SYSTEMS, parser.getOSName()),
  };
};
