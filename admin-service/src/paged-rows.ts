import type { Database } from '@platform/shared/db/database';
import { queryBuilder } from '@platform/shared/db/query-builder';
import type { Knex } from 'knex';
import type { Page, Paged } from './page.ts';

type List = {
  /** `from` and `where` and nothing else: the page and the total share it. */
  filtered: Knex.QueryBuilder;
  /** The table that `filtered` reads, as it is named there: it has created_at and id. */
  table: string;
  /** Adds the columns, and what must be joined for them, to the page. */
  select: (rows: Knex.QueryBuilder) => Knex.QueryBuilder;
};

/** Newest first, and the exact total, in one trip; a page past the end costs a second one. */
export const fetchPage = async <Row>(
  database: Database,
  { filtered, table, select }: List,
  { page, perPage }: Page,
): Promise<Paged<Row>> => {
  const count = filtered.clone().select(queryBuilder.raw('count(*)::int'));
  const newestFirst = select(filtered.clone())
    .orderBy([
      { column: `${table}.created_at`, order: 'desc' },
      { column: `${table}.id`, order: 'desc' },
    ])
    .limit(perPage)
    .offset((page - 1) * perPage);
  const rows = await database.build<{ total: number }>(
    queryBuilder.select('page.*', queryBuilder.raw('(?) as total', [count])).from(newestFirst.as('page')),
  );
  const [first] = rows;
  if (first) return { rows: rows.map(({ total: _total, ...row }) => row as Row), total: first.total };
  const [counted] = await database.build<{ count: number }>(count);
  return { rows: [], total: counted?.count ?? 0 };
};
