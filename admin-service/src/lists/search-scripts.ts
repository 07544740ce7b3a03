import type { Searched } from './lists.ts';

// Conditions of searches. Each needs a trigram index of its text.

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
