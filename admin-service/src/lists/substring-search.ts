import { queryBuilder } from '@platform/shared/db/query-builder';
import type { Knex } from 'knex';

/** pg_trgm indexes runs of three letters or digits; whether others count as such depends on the database's locale. */
const HAS_TRIGRAM = /[a-z0-9]{3}/i;

/** Fewer matches in a sample say nothing about their share. */
const MIN_MATCHES = 10;

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
 * The shares of the rows from which each way is the fastest: finding them by trigrams, then by grams, then reading the text of
 * every row. Postgres converts each text that it finds by trigrams to lower case; a text without upper-case letters is read
 * faster than found. A term of one or two characters is itself a gram, so its rows need no look at their text.
 */
const SHARES = {
  lowerCase: { grams: 0.1, check: 0 },
  exact: { grams: 0.03, check: 0.95 },
  longer: { grams: 0.03, check: 0.65 },
};

export type Way = 'find' | 'grams' | 'check';

/** The fastest way to all rows with the term: `matches` of `rows`, of which the other filters of the list select `selected`. */
export const chooseWay = (
  { text, term }: Search,
  { rows, selected, matches }: { rows: number; selected: number; matches: number },
): Way => {
  const termKind = [...term].length <= 2 ? 'exact' : 'longer';
  const shares = SHARES[text.isLowerCase ? 'lowerCase' : termKind];
  if (matches < Math.max(MIN_MATCHES, rows * shares.grams)) return 'find';
  return matches < selected * shares.check ? 'grams' : 'check';
};
