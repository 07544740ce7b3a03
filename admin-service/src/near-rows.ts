import type { Database } from '@platform/shared/db/database';
import type { Page, Paged } from './page.ts';

/** Further in, the way from the list's end may be the shorter one, and only the total says so. */
const NEAR_ROWS = 1_000;

/** The total stands beside every row, and beside nothing when there is none. */
type Fetched = { total: number; isRow: true | null };

/** A list whose totals triggers keep (20261125-list-totals.ts), and which an index has in its order however it is filtered. */
export type CountedList = {
  table: string;
  as: string;
  /** Their columns that a filter may name are those of the table. */
  totals: string;
  /** Which rows the list is of, and which the totals count beside the filter's. */
  always?: string;
  alwaysOfTotals?: string;
  columns: string;
  joins?: string;
};

/** The first two values are the page's. */
const equals = (columns: readonly string[], always = 'true') =>
  [always, ...columns.map((column, index) => `${column} = $${index + 3}`)].join(' and ');

/** The contract allows no more. Postgres plans before it knows `limit $1`, and would think of a tenth of the table. */
const MOST_ROWS = 100;

/** Written by hand and prepared under a name: to build and to plan it would take longer than to run it. */
const nearPageText = (list: CountedList, columns: readonly string[]): string => {
  const { table, as, totals, always, alwaysOfTotals } = list;
  return `
    select counted.total, page.* from (
      select coalesce(sum(total), 0)::int as total from ${totals} where ${equals(columns, alwaysOfTotals)}
    ) counted left join (
      select ${list.columns}, true as is_row from (
        select id as picked_id from (
          select id, created_at from ${table} where ${equals(columns, always)}
          order by created_at desc, id desc limit $1 offset $2
        ) near limit ${MOST_ROWS}
      ) picked join ${table} ${as} on ${as}.id = picked_id ${list.joins ?? ''}
    ) page on true
    order by page.created_at desc, page.id desc`;
};

export const isNear = ({ page, perPage }: Page): boolean =>
  perPage <= MOST_ROWS && (page - 1) * perPage < NEAR_ROWS;

/** Rows and total in one trip, newest first. What is undefined in `filter` is not filtered by. */
export const fetchNearPage = async <Row>(
  database: Database,
  list: CountedList,
  filter: Record<string, string | boolean | undefined>,
  { page, perPage }: Page,
): Promise<Paged<Row>> => {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  const columns = given.map(([column]) => column);
  const found = await database.query<Row & Fetched>({
    name: `near-page-of-${[list.table, ...columns].join('-')}`,
    text: nearPageText(list, columns),
    values: [perPage, (page - 1) * perPage, ...given.map(([, value]) => value)],
  });
  const isOfPage = ({ isRow }: Fetched) => isRow === true;
  return {
    rows: found.filter(isOfPage).map(({ total: _total, isRow: _isRow, ...row }) => row as Row),
    total: found[0]?.total ?? 0,
  };
};
