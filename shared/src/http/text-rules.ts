/**
 * Matches a character that is not white space, control or ignorable. The Braille blank and interlinear
 * annotations are invisible, too.
 */
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}\p{Cc}\p{Noncharacter_Code_Point}\u2800\ufff9-\ufffb]/u;
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

/** Returns the rule that a text which people fill in breaks; `unstorable` is checked elsewhere. */
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
