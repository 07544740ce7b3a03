import { readFileSync } from 'node:fs';
import { makeExactValidator } from 'envalid';
import type { Colour } from '../appearance/colour.ts';
import { lineOfText } from './env.ts';

const COLOUR = /^#[\da-f]{6}$/i;

/** Accepts any colour. brand-colours.ts derives colours for buttons and links that contrast enough. */
const colour = makeExactValidator((input): Colour => {
  if (!COLOUR.test(input)) throw new TypeError('must be a colour of the form #rrggbb');
  return input.toLowerCase() as Colour;
});

const MAX_LOGO_BYTES = 100_000;
const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** An XML declaration, comments and a document type may come before the element. */
const SVG_START = /^\uFEFF?(?:\s|<\?xml[^>]*>|<!--[\s\S]*?-->|<!DOCTYPE[^>[]*>)*<svg[\s>]/i;

/** A picture for browsers. Mail programs show only PNG. */
export type Logo = { type: 'png' | 'svg'; bytes: Buffer };

const readFile = (path: string): Buffer => {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new TypeError(`cannot be read: ${path}`, { cause });
  }
};

const findLogoType = (bytes: Buffer): Logo['type'] | undefined => {
  if (bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return 'png';
  return SVG_START.test(bytes.toString()) ? 'svg' : undefined;
};

export const logoFile = makeExactValidator((path): Logo => {
  const bytes = readFile(path);
  if (bytes.length > MAX_LOGO_BYTES) throw new TypeError(`must have at most 100 kB: ${path}`);
  const type = findLogoType(bytes);
  if (type === undefined) throw new TypeError(`must be a PNG or SVG file: ${path}`);
  return { type, bytes };
});

const linkUrl = makeExactValidator((input) => {
  const url = URL.parse(input);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw new TypeError('must be a URL that starts with http:// or https://');
  return url.href;
});

/** The names of the two kinds of account in pages and mails, by language. */
export type KindNames = Record<'customer' | 'employee', Record<'en' | 'de', string>>;

export const DEFAULT_KIND_NAMES: KindNames = {
  customer: { en: 'Customer account', de: 'Kundenkonto' },
  employee: { en: 'Employee account', de: 'Mitarbeiterkonto' },
};

const kindName = lineOfText(40);

/** The parts of the platform's appearance that pages and mails share. */
export const appearanceVariables = {
  LOGO_FILE: logoFile({ default: undefined }),
  /** For dark pages and mails; LOGO_FILE by default. */
  LOGO_DARK_FILE: logoFile({ default: undefined }),
  ACCENT_COLOUR: colour({ default: undefined }),
  /** Replaces ACCENT_COLOUR in dark pages and mails. */
  ACCENT_COLOUR_DARK: colour({ default: undefined }),
  TERMS_URL: linkUrl({ default: undefined }),
  PRIVACY_URL: linkUrl({ default: undefined }),
  CUSTOMER_ACCOUNT_EN: kindName({ default: DEFAULT_KIND_NAMES.customer.en }),
  CUSTOMER_ACCOUNT_DE: kindName({ default: DEFAULT_KIND_NAMES.customer.de }),
  EMPLOYEE_ACCOUNT_EN: kindName({ default: DEFAULT_KIND_NAMES.employee.en }),
  EMPLOYEE_ACCOUNT_DE: kindName({ default: DEFAULT_KIND_NAMES.employee.de }),
};

type KindNameVariables = Record<`${'CUSTOMER' | 'EMPLOYEE'}_ACCOUNT_${'EN' | 'DE'}`, string>;

export const toKindNames = (env: KindNameVariables): KindNames => ({
  customer: { en: env.CUSTOMER_ACCOUNT_EN, de: env.CUSTOMER_ACCOUNT_DE },
  employee: { en: env.EMPLOYEE_ACCOUNT_EN, de: env.EMPLOYEE_ACCOUNT_DE },
});
