import { readFileSync } from 'node:fs';
import { makeExactValidator } from 'envalid';

const COLOUR = /^#[\da-f]{6}$/i;
/**
 * The backgrounds of the pages with the least contrast: the darkest of the light ones and the lightest of the
 * dark ones (web/style.css).
 */
const BACKGROUNDS = { light: '#f9f9fb', dark: '#1c1d20' } as const;
/** WCAG 2.2, 1.4.11. */
const MIN_CONTRAST = 3;

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
const getLuminance = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const value = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
const getContrast = (one: string, other: string): number => {
  const [darker = 0, lighter = 0] = [getLuminance(one), getLuminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
};

/** Black or white, whichever contrasts more with the colour below it. */
export const findTextColour = (background: string): '#000000' | '#ffffff' =>
  getContrast(background, '#ffffff') >= getContrast(background, '#000000') ? '#ffffff' : '#000000';

/** A colour for buttons, which must be visible in the light and in the dark pages. */
const accentColour = makeExactValidator((input) => {
  if (!COLOUR.test(input)) throw new TypeError('must be a colour of the form #rrggbb');
  for (const [name, background] of Object.entries(BACKGROUNDS)) {
    const contrast = getContrast(input, background);
    if (contrast < MIN_CONTRAST)
      throw new TypeError(
        `must have a contrast of 3:1 against the ${name} background ${background}, not ${contrast.toFixed(2)}:1`,
      );
  }
  return input.toLowerCase();
});

const MAX_LOGO_BYTES = 100_000;
const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

const readFile = (path: string): Buffer => {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new TypeError(`cannot be read: ${path}`, { cause });
  }
};

/** The content of a PNG file that browsers and mail programs show. */
const logoFile = makeExactValidator((path) => {
  const bytes = readFile(path);
  if (!bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE))
    throw new TypeError(`must be a PNG file: ${path}`);
  if (bytes.length > MAX_LOGO_BYTES) throw new TypeError(`must have at most 100 kB: ${path}`);
  return bytes;
});

const linkUrl = makeExactValidator((input) => {
  const url = URL.parse(input);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw new TypeError('must be a URL that starts with http:// or https://');
  return url.href;
});

/** The parts of the platform's appearance that pages and mails share. */
export const appearanceVariables = {
  LOGO_FILE: logoFile({ default: undefined }),
  ACCENT_COLOUR: accentColour({ default: undefined }),
  TERMS_URL: linkUrl({ default: undefined }),
  PRIVACY_URL: linkUrl({ default: undefined }),
};
