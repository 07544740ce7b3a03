import type { Database } from '@platform/shared/db/database';
import {
  keysOf,
  type List,
  type ListFilter,
  type Page,
  type Paged,
  type RowWithTotal,
  toDefined,
  toOffset,
  toPaged,
} from './list.ts';

/** The maximum in openapi/admin.yaml. Postgres plans an unknown limit for a tenth of the table, so a constant one follows. */
export const MAX_PER_PAGE = 100;

const toConditions = (columns: readonly string[], condition = 'true'): string =>
  [condition, ...columns.map((column, index) => `${column} = $${index + 3}`)].join(' and ');

/**
 * Written by hand and prepared under a name: building and planning this query would take longer than running it. $1 and $2
 * are limit and offset; in subqueries, because Postgres would otherwise plan the query for the values of each execution.
 */
const toText = (list: List, columns: readonly string[]): string => {
  const { alias, totals } = list;
  const keys = keysOf(list);
  const conditions = toConditions(columns, list.condition);
  const total = `select coalesce(sum(total), 0)::int as total from ${totals} where ${toConditions(columns, list.totalsCondition)}`;
  return `
    select counted.total, page.* from (${total}) counted left join (
      select ${list.columns}, true as is_row from (
        select page_id, page_created_at from (
          select ${keys.id} as page_id, ${keys.createdAt} as page_created_at from ${keys.table} where ${conditions}
          order by ${keys.createdAt} desc, ${keys.id} desc limit (select $1::int) offset (select $2::int)
        ) ids limit ${MAX_PER_PAGE}
      ) page_ids join ${list.table} ${alias} on ${alias}.id = page_id and ${alias}.created_at = page_created_at ${list.joins ?? ''}
    ) page on true
    order by page.created_at desc, page.id desc`;
};

/** A page near the start and the total, in one round trip. */
export const fetchFirstPage = async <Row>(
  database: Database,
  list: List,
  { equals }: ListFilter,
  page: Page,
): Promise<Paged<Row>> => {
  const defined = toDefined(equals);
  const columns = defined.map(([column]) => column);
  const found = await database.query<Row & RowWithTotal>({
    name: `first-page-of-${[keysOf(list).table, ...columns].join('-')}`,
    text: toText(list, columns),
    values: [page.perPage, toOffset(page), ...defined.map(([, value]) => value)],
  });
  return toPaged(found);
};
