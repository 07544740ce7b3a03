/**
 * Matches a character that is not white space, control or ignorable. The Braille blank and interlinear
 * annotations are invisible, too.
 */
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}\p{Cc}\p{Noncharacter_Code_Point}\u2800\ufff9-\ufffb]/u;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/i;

/** The rule `x-visible` of the contract. */
export const isVisible = (text: string): boolean => VISIBLE.test(text);

/** The format `date-time`: RFC 3339 with a time zone. Seconds may be missing. */
export const isInstant = (text: string): boolean => INSTANT.test(text) && !Number.isNaN(Date.parse(text));
