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

/** The maximum in openapi/admin.yaml. A constant limit, because Postgres plans an unknown one for a tenth of the table. */
export const MAX_PER_PAGE = 100;

const toConditions = (columns: readonly string[], condition = 'true'): string =>
  [condition, ...columns.map((column, index) => `${column} = $${index + 3}`)].join(' and ');

/**
 * The first page of a whole list without joins: the index finds its rows in order, and none is read beyond the outer limit. With
 * a filter, Postgres would assume that its rows are evenly distributed, and search the newest ones for those of an old value.
 */
const selectFirst = ({ table, alias, columns, condition = 'true' }: List): string => `
  select * from (
    select ${columns}, true as is_row from ${table} ${alias} where ${condition}
    order by ${alias}.created_at desc, ${alias}.id desc limit ${MAX_PER_PAGE}
  ) newest limit (select $1::int) offset (select $2::int)`;

/** A page whose rows are joined to their keys, so that the index alone skips those before it. */
const selectByKeys = (list: List, filters: readonly string[]): string => {
  const { table, alias, columns, condition, joins = '' } = list;
  const keys = keysOf(list);
  return `
    select ${columns}, true as is_row from (
      select page_id, page_created_at from (
        select ${keys.id} as page_id, ${keys.createdAt} as page_created_at from ${keys.table}
        where ${toConditions(filters, condition)}
        order by ${keys.createdAt} desc, ${keys.id} desc limit (select $1::int) offset (select $2::int)
      ) ids limit ${MAX_PER_PAGE}
    ) page_ids join ${table} ${alias} on ${alias}.id = page_id and ${alias}.created_at = page_created_at ${joins}`;
};

/**
 * Written by hand and prepared under a name: building and planning this query would take longer than running it. $1 and $2
 * are limit and offset; in subqueries, because Postgres would otherwise plan the query for the values of each execution.
 */
const toText = (list: List, filters: readonly string[], selectPage: typeof selectByKeys): string => `
  select counted.total, page.* from (
    select coalesce(sum(total), 0)::int as total from ${list.totals} where ${toConditions(filters, list.totalsCondition)}
  ) counted left join (${selectPage(list, filters)}) page on true
  order by page.created_at desc, page.id desc`;

/** A page near the start and the total, in one round trip. */
export const fetchFirstPage = async <Row>(
  database: Database,
  list: List,
  { equals }: ListFilter,
  page: Page,
): Promise<Paged<Row>> => {
  const defined = toDefined(equals);
  const columns = defined.map(([column]) => column);
  const isFirst = toOffset(page) === 0 && columns.length === 0 && !list.keys && !list.joins;
  const found = await database.query<Row & RowWithTotal>({
    name: `${isFirst ? 'first-page' : 'page'}-of-${[keysOf(list).table, ...columns].join('-')}`,
    text: toText(list, columns, isFirst ? selectFirst : selectByKeys),
    values: [page.perPage, toOffset(page), ...defined.map(([, value]) => value)],
  });
  return toPaged(found);
};
