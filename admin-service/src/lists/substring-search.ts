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
 * Reads the text of each row: the indexes have another collation. A text that contains the lower-case term as it is need not
 * be converted, which takes longer than all else.
 * @param columns copies of the searched ones
 */
export const checkText = ({ text, term }: Search, columns = text.columns): Knex.Raw => {
  const contains = (value: string) => `${value} collate "C" like lower(?)`;
  const converted = columns.map((column) => `lower(${column})`);
  return anyColumn(text.isLowerCase ? columns : [...columns, ...converted], contains, toPattern(term));
};

/**
 * Finds the rows by the index of one- and two-character grams, which is exact for terms of that length; of longer terms, the
 * text of these rows is read.
 */
export const findGrams = (search: Search): Knex.Raw => {
  const { text, term } = search;
  // The subselect hides from the planner how many rows have the grams, which it would underestimate for several grams.
  const hasGrams = queryBuilder.raw(
    `short_grams(${text.combined}) @> array(select lower(gram) from unnest(?::text[]) as gram)`,
    [toShortGrams(term)],
  );
  return [...term].length > 2 ? queryBuilder.raw('? and ?', [hasGrams, checkText(search)]) : hasGrams;
};

/** Finds the rows by the index with the fewest: of trigrams, or of shorter grams for terms without a trigram. */
export const findText = (search: Search): Knex.Raw => {
  const { text, term } = search;
  return HAS_TRIGRAM.test(term)
    ? anyColumn(text.columns, (column) => `${column} ilike ?`, toPattern(term))
    : findGrams(search);
};

/**
 * Above this share of the rows, finding them by their grams takes longer than reading all texts. Lower-case texts are read
 * faster than found.
 */
const MAX_SHARE_BY_GRAMS = 0.65;

/** Whether the grams are the faster way to all rows with a common term. */
export const isFasterByGrams = ({ text }: Search, share: number): boolean =>
  !text.isLowerCase && share < MAX_SHARE_BY_GRAMS;
