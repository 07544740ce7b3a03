import { queryBuilder } from '@platform/shared/db/query-builder';
import type { Knex } from 'knex';

/** pg_trgm indexes runs of three letters or digits; whether others count as such depends on the database's locale. */
const HAS_TRIGRAM = /[a-z0-9]{3}/i;

type SearchedText = {
  /** Each has a trigram index. */
  columns: readonly string[];
  /** The columns as one SQL expression, which has an index of short_grams(). */
  combined: string;
  /** The columns have no upper-case letters: converting each row takes longer than comparing it. */
  isLowerCase?: boolean;
};

/** Selects rows of which a column contains `term`, ignoring case; `%`, `_` and `\` are ordinary characters. */
export type Search = { text: SearchedText; term: string };

const toPattern = (term: string): string => `%${term.replace(/[\\%_]/g, '\\$&')}%`;

/** The pairs of adjacent characters, which are more selective; of a single character, the character. */
const toShortGrams = (term: string): string[] => {
  const characters = [...term];
  const pairs = characters.slice(1).map((next, index) => `${characters[index]}${next}`);
  return pairs.length === 0 ? characters : pairs;
};

const anyColumn = (
  columns: readonly string[],
  toCondition: (column: string) => string,
  value: string,
): Knex.Raw =>
  queryBuilder.raw(
    `(${columns.map(toCondition).join(' or ')})`,
    columns.map(() => value),
  );

/**
 * Reads the text of each row: the indexes have another collation.
 * @param columns copies of the searched ones
 */
export const checkText = ({ text, term }: Search, columns = text.columns): Knex.Raw => {
  const toCondition = (column: string) =>
    `${text.isLowerCase ? column : `lower(${column})`} collate "C" like lower(?)`;
  return anyColumn(columns, toCondition, toPattern(term));
};

/**
 * Finds the rows by an index: the trigram index serves terms that contain a trigram, the index of one- and two-character
 * grams all others; it is exact for terms of that length.
 */
export const findText = (search: Search): Knex.Raw => {
  const { text, term } = search;
  if (HAS_TRIGRAM.test(term))
    return anyColumn(text.columns, (column) => `${column} ilike ?`, toPattern(term));
  // The subselect hides the grams from the planner, which would scan and compute the grams of every row for common ones.
  const hasGrams = queryBuilder.raw(
    `short_grams(${text.combined}) @> array(select lower(gram) from unnest(?::text[]) as gram)`,
    [toShortGrams(term)],
  );
  return [...term].length > 2 ? queryBuilder.raw('? and ?', [hasGrams, checkText(search)]) : hasGrams;
};

/** True when the index has the matches without a look at their text, which would take longer for each row that is converted. */
export const isExactByIndex = ({ text, term }: Search): boolean => !text.isLowerCase && [...term].length <= 2;
