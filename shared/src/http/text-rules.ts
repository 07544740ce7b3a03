/**
 * Matches a character that draws something. Fillers and the blanks of Braille, of music and of hieroglyphs are
 * letters or symbols to Unicode, but draw nothing.
 */
const VISIBLE =
  /[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{13441}\u{13442}\u{1d159}]]/v;
/** Joiners, variation selectors and tags are invisible, too, but belong to the character before them. */
const INVISIBLE_IN_LINE = /[\u00ad\u200b\u2060\ufeff]/gu;
/** Without the lookbehind, a long run of white space inside of a text would take quadratic time. */
const OUTER_WHITE_SPACE = /^[\p{White_Space}\ufeff]+|(?<![\p{White_Space}\ufeff])[\p{White_Space}\ufeff]+$/gu;
const INSTANT =
  /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/**
 * The characters that a text of each kind must not have: control characters and the separators of lines and
 * paragraphs, where it has one line. U+202A to U+202E and U+2066 to U+2069 change the
 * direction of the text around them, so a name could rearrange a list or a mail.
 */
const CONTROLS = {
  'one-line': /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u,
  'multi-line': /[\u202a-\u202e\u2066-\u2069]/u,
} as const;

/** The values of `x-text` in the contract. */
export type TextKind = keyof typeof CONTROLS;

/** Returns a text that people fill in as it is judged and stored: trimmed, and in Unicode's form NFC. */
export const tidyText = (text: string, kind: TextKind): string =>
  (kind === 'one-line' ? text.replace(INVISIBLE_IN_LINE, '') : text)
    .replace(OUTER_WHITE_SPACE, '')
    .normalize();

/** Returns the rule that a tidied text breaks; `unstorable` is checked elsewhere. */
export const findBrokenTextRule = (
  text: string,
  kind: TextKind,
): 'blank' | 'control-character' | undefined => {
  if (!VISIBLE.test(text)) return 'blank';
  return CONTROLS[kind].test(text) ? 'control-character' : undefined;
};

/** JavaScript shifts 30 February to March. A page of users has 30 times, so most days are not parsed. */
const existsInMonth = (day: string): boolean =>
  day.slice(-2) <= '28' || new Date(`${day}T00:00Z`).toISOString().startsWith(day);

/**
 * The format `date-time`: RFC 3339 with a time zone. Seconds may be missing. The end of a day (24:00) and leap
 * seconds do not exist in JavaScript.
 */
export const isInstant = (text: string): boolean => {
  const [, day] = INSTANT.exec(text) ?? [];
  return day !== undefined && existsInMonth(day);
};

// The format `email` of ajv-formats in its fast form. It rejects empty labels in the local part and the
// domain, and accepts a domain without a dot.
const EMAIL =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;

/** The format `email`. */
export const isEmail = (text: string): boolean => EMAIL.test(text);

/** Whether an account may get this address; the schema NewEmail in the contract. */
export const isNewEmail = (text: string): boolean =>
  text.length <= 254 && text.indexOf('@') <= 64 && isEmail(text);
