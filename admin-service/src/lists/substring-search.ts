import type { Knex } from 'knex';

/** pg_trgm indexes runs of three letters or digits; which others count depends on the database's locale. */
const HAS_TRIGRAM = /[a-z0-9]{3}/i;

/** What of a table is searched, in SQL as it is indexed. */
export type SearchedText = {
  /** Each with an index of trigrams. */
  columns: readonly string[];
  /** All of them in one, with an index of short_grams(). */
  whole: string;
};

/** 'index' finds the rows through an index, however few they are; 'row' looks at each row of a sorted walk. */
export type SearchWay = 'index' | 'row';

const toPattern = (term: string): string => `%${term.replace(/[\\%_]/g, '\\$&')}%`;

/** A term of one character is a gram; of a longer one the pairs say more than the characters. */
const toGrams = (term: string): string[] => {
  const characters = [...term];
  const pairs = characters.slice(1).map((next, index) => `${characters[index]}${next}`);
  return pairs.length === 0 ? characters : pairs;
};

const anyColumn = (query: Knex.QueryBuilder, columns: readonly string[], condition: string, value: string) =>
  query.where((any) => {
    for (const column of columns) any.orWhereRaw(condition, [column, value]);
  });

/**
 * Keeps the rows of which one of the columns contains `term`, in any letter case; every character stands for itself.
 * By index, trigrams serve it, or for a term without any the grams of one and two characters, which settle a term of
 * that length by themselves.
 */
export const whereContains = (
  query: Knex.QueryBuilder,
  { columns, whole }: SearchedText,
  term: string,
  way: SearchWay,
): Knex.QueryBuilder => {
  // No index serves strpos(), so it neither leaves the walk nor makes Postgres compute the grams of each row again.
  const onRow = () => anyColumn(query, columns, 'strpos(lower(??), lower(?)) > 0', term);
  if (way === 'row') return onRow();
  if (HAS_TRIGRAM.test(term)) return anyColumn(query, columns, '?? ilike ?', toPattern(term));
  // In a sub-select the grams are unknown to the planner: of a common one it would compute every row's instead.
  query.whereRaw(`short_grams(${whole}) @> array(select lower(gram) from unnest(?::text[]) as gram)`, [
    toGrams(term),
  ]);
  return [...term].length > 2 ? onRow() : query;
};
