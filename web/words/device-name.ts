type Pattern = readonly [name: string, pattern: RegExp];

/** The first that matches counts: most browsers also name the ones that they resemble. */
const BROWSERS: readonly Pattern[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\/|\bOpera\b/],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bVersion\/[\d.]+.*\bSafari\//],
];
const SYSTEMS: readonly Pattern[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Mac', /\bMacintosh\b|\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
];

const find = (patterns: readonly Pattern[], text: string): string | undefined =>
  patterns.find(([, pattern]) => pattern.test(text))?.[0];

/**
 * `Chrome on Windows`, of a header User-Agent; undefined if it says neither. A client can send anything, so it
 * only helps its owner to recognize a device.
 */
export const describeDevice = (
  userAgent: string | null | undefined,
  combine: (browser: string, system: string) => string,
): string | undefined => {
  const text = userAgent ?? '';
  const [browser, system] = [find(BROWSERS, text), find(SYSTEMS, text)];
  if (browser !== undefined && system !== undefined) return combine(browser, system);
  return browser ?? system;
};
