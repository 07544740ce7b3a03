/** `%`, `_` and `\` are ordinary characters in a search. */
export const toPattern = (term: string): string => `%${term.replace(/[\\%_]/g, '\\$&')}%`;

/** The text is a single term. None if it is blank. */
export const toTerm = (text = ''): string[] => [text.trim()].filter((term) => term !== '');

/** The words of the text, in any order. Characters that nobody sees belong to none. */
export const toWords = (text = ''): string[] => {
  const words = text.replace(/\p{Default_Ignorable_Code_Point}/gu, '').split(/[\p{White_Space},]+/u);
  return [...new Set(words)].filter((word) => word !== '');
};

const FEWEST_DIGITS = 4;
/** Fewer digits than these have no trigram. */
const TRIGRAM = 3;

const SIGNS = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Dash_Punctuation}()/.]/gu;

/**
 * The digits that a phone number must contain, without the prefix that some write as +49, 0049 or 0, and others not at
 * all; undefined if the text is no part of a phone number.
 */
export const toPhoneDigits = (text: string): string | undefined => {
  const number = text.replace(SIGNS, '');
  const digits = number.replace('+', '');
  if (!/^\+?[0-9]+$/.test(number) || digits.length < FEWEST_DIGITS) return undefined;
  const following = number.replace(/^(?:(?:\+|00)(?:490?)?|0)/, '');
  return following.length < TRIGRAM ? digits : following;
};
