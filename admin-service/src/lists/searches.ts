import type { Searched } from './lists.ts';

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

/**
 * The digits that a phone number must contain, without the prefix that some write as +49, 0049 or 0, and others not at
 * all; undefined if the text is no part of a phone number.
 */
export const toPhoneDigits = (text: string): string | undefined => {
  const number = text.replace(/[\p{White_Space}()/.-]/gu, '');
  const digits = number.replace('+', '');
  if (!/^\+?[0-9]+$/.test(number) || digits.length < FEWEST_DIGITS) return undefined;
  const following = number.replace(/^(?:(?:\+|00)(?:490?)?|0)/, '');
  return following.length < TRIGRAM ? digits : following;
};

const SIGMA = /[Σσς]/u;
const SIGMAS = "'Σσς', '___'";

const each =
  (contains: (pattern: string, term: string) => string): Searched =>
  (patterns, terms) =>
    patterns.map((pattern, index) => contains(pattern, terms[index] ?? '')).join(' and ');

/** The column is ASCII in lower case. */
export const inLowerCase = (column: string): Searched =>
  each((pattern) => `${column} like lower(${pattern})`);

/** Accents and characters that nobody sees make no difference. @param text search_text of a column, or ASCII in lower case */
export const inAnyForm = (text: string): Searched =>
  each((pattern) => `${text} like search_text(${pattern})`);

/** Accents make a difference. ς and σ are one letter, but not to `ilike`: the index finds any letter in their place. */
export const inAnyCase = (column: string): Searched =>
  each((pattern, term) =>
    SIGMA.test(term)
      ? `${column} ilike translate(${pattern}, ${SIGMAS})
          and translate(lower(${column}), 'ς', 'σ') like translate(lower(${pattern}), 'ς', 'σ')`
      : `${column} ilike ${pattern}`,
  );
