import type { Knex } from 'knex';

/** pg_trgm indexes runs of three letters or digits; which others count depends on the database's locale. */
const HAS_TRIGRAM = /[a-z0-9]{3}/i;

const toPattern = (term: string): string => `%${term.replace(/[\\%_]/g, '\\$&')}%`;

/**
 * Keeps the rows of which one of the columns contains `term`, in any letter case; every character stands for itself.
 * Both ways of looking are served by an index: trigrams, or for every other term the grams of one and two characters,
 * which settle a term of that length by themselves.
 */
export const whereContains = (
  query: Knex.QueryBuilder,
  columns: readonly string[],
  term: string,
): Knex.QueryBuilder =>
  query.where((any) => {
    for (const column of columns) {
      any.orWhere((one) => {
        if (!HAS_TRIGRAM.test(term)) one.whereRaw('short_grams(??) @> short_grams(?::text)', [column, term]);
        if ([...term].length > 2) one.whereRaw('?? ilike ?', [column, toPattern(term)]);
      });
    }
  });
