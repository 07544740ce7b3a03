import { getLanguage } from '../words/language.ts';

/**
 * The beginnings of formulas, in ordinary and in full width. Customers choose some of the texts, and some
 * spreadsheets split a line at each semicolon or tab, even between quotation marks, and drop these.
 */
const FORMULA = /(^|[;,\t\r\n])((?:"|[^\S\t\r\n])*)(?=[=+\-@＝＋－＠])/g;

/** Quotes by RFC 4180. An apostrophe before a formula makes a spreadsheet read it as text. */
const toCell = (value: string): string => `"${value.replace(FORMULA, "$1$2'").replaceAll('"', '""')}"`;

/** A spreadsheet of a German system splits lines at semicolons only. */
const SEPARATORS = { en: ',', de: ';' } as const;

/** Begins with a byte order mark, so that spreadsheets read UTF-8. */
export const toCsv = (lines: readonly (readonly string[])[]): string => {
  const separator = SEPARATORS[getLanguage()];
  return `\uFEFF${lines.map((cells) => `${cells.map(toCell).join(separator)}\r\n`).join('')}`;
};
