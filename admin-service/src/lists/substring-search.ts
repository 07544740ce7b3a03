import type { Knex } from 'knex';

/** pg_trgm indexes runs of three letters or digits; whether others count as such depends on the database's locale. */
const HAS_TRIGRAM = /[a-z0-9]{3}/i;

type SearchedText = {
  /** Each has a trigram index. */
  columns: readonly string[];
  /** The columns as one SQL expression, which has an index of short_grams(). */
  combined: string;
};

/** 'index' looks the matches up in an index; 'scan' checks each row of a scan in list order. */
export type SearchStrategy = 'index' | 'scan';

const toPattern = (term: string): string => `%${term.replace(/[\\%_]/g, '\\$&')}%`;

/** The pairs of adjacent characters, which are more selective; of a single character, the character. */
const toShortGrams = (term: string): string[] => {
  const characters = [...term];
  const pairs = characters.slice(1).map((next, index) => `${characters[index]}${next}`);
  return pairs.length === 0 ? characters : pairs;
};

const whereAnyColumn = (
  query: Knex.QueryBuilder,
  columns: readonly string[],
  condition: string,
  value: string,
) =>
  query.where((any) => {
    for (const column of columns) any.orWhereRaw(condition, [column, value]);
  });

/**
 * Filters for rows of which a column contains `term`, ignoring case; `%`, `_` and `\` are ordinary characters. The
 * trigram index serves terms that contain a trigram. Other terms use the index of one- and two-character grams, which is
 * exact for terms of that length.
 */
export const whereContains = (
  query: Knex.QueryBuilder,
  { columns, combined }: SearchedText,
  term: string,
  strategy: SearchStrategy,
): Knex.QueryBuilder => {
  // No index supports strpos(), so the planner keeps the scan and does not compute the grams of every row.
  const checkRows = () => whereAnyColumn(query, columns, 'strpos(lower(??), lower(?)) > 0', term);
  if (strategy === 'scan') return checkRows();
  if (HAS_TRIGRAM.test(term)) return whereAnyColumn(query, columns, '?? ilike ?', toPattern(term));
  // The subselect hides the grams from the planner, which would scan and compute the grams of every row for common ones.
  query.whereRaw(`short_grams(${combined}) @> array(select lower(gram) from unnest(?::text[]) as gram)`, [
    toShortGrams(term),
  ]);
  return [...term].length > 2 ? checkRows() : query;
};
