import type { SearchWay } from '@platform/admin-service/lists/substring-search';
import type { Database } from '@platform/shared/db/database';
import { queryBuilder } from '@platform/shared/db/query-builder';
import type { Knex } from 'knex';

/** Which part of a list is asked for; both from 1 on. */
export type Page = { page: number; perPage: number };

/** One page of a list, and how many rows the list has in all. */
export type Paged<Row> = { rows: Row[]; total: number };

export const toEnvelope = <Row, Body>(
  { rows, total }: Paged<Row>,
  { page, perPage }: Page,
  toBody: (row: Row) => Body,
) => ({
  data: rows.map(toBody),
  total,
  page,
  perPage,
});

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

type List = {
  /** The table, which has created_at and id, and its name in `filter` and `select`. */
  table: string;
  as: string;
  /** `where` and nothing else: the page and the total share it. */
  filter: (rows: Knex.QueryBuilder, way: SearchWay) => Knex.QueryBuilder;
  /** The rows that `filter` keeps, where they are counted as they are written: one row, `total`. */
  total?: Knex.QueryBuilder | undefined;
  /** An index has the rows that `filter` keeps in the list's order. */
  isSorted: boolean;
  /** Adds the columns, and what must be joined for them, to the rows of the page. */
  select: (rows: Knex.QueryBuilder) => Knex.QueryBuilder;
};

/** The total that triggers keep in `table` (20261125-list-totals.ts); what is undefined is not filtered by. */
export const selectTotal = (table: string, filter: Record<string, unknown>): Knex.QueryBuilder => {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  return queryBuilder(table)
    .where(Object.fromEntries(given))
    .select(queryBuilder.raw('coalesce(sum(total), 0)::int as total'));
};

type Counted = { total: number; tableRows: number };
type Slice = { limit: number; offset: number; direction: 'asc' | 'desc' };

const filtered = ({ table, as, filter }: List, way: SearchWay): Knex.QueryBuilder =>
  filter(queryBuilder(`${table} as ${as}`), way);

/** How many rows the list has, and about how many its table. */
const countRows = async (database: Database, list: List): Promise<Counted> => {
  const total = list.total ?? filtered(list, 'index').select(queryBuilder.raw('count(*)::int as total'));
  const tableRows = '(select greatest(reltuples, 0) from pg_class where oid = ?::regclass) as table_rows';
  const [counted] = await database.execute<Counted>(
    queryBuilder(total.as('counted')).select('total', queryBuilder.raw(tableRows, [list.table])),
  );
  return counted ?? { total: 0, tableRows: 0 };
};

/** The second half of a list is reached sooner from its end. */
const sliceOf = ({ page, perPage }: Page, total: number): Slice => {
  const offset = (page - 1) * perPage;
  const limit = Math.min(perPage, total - offset);
  return offset <= total / 2
    ? { limit, offset, direction: 'desc' }
    : { limit, offset: total - offset - limit, direction: 'asc' };
};

/**
 * The ids of the slice. Among many rows a walk along the sorted index soon fills it; of few, all are found and sorted.
 * Postgres could only guess which; a wrong guess walks past a million rows.
 */
const pickRows = (list: List, { total, tableRows }: Counted, slice: Slice): Knex.QueryBuilder => {
  const { limit, offset, direction } = slice;
  const key = [`${list.as}.id`, `${list.as}.created_at`];
  const isWalkShorter = list.isSorted || total * total > (offset + limit) * tableRows;
  const rows = isWalkShorter
    ? filtered(list, 'row').select(key)
    : queryBuilder(list.as).withMaterialized(list.as, filtered(list, 'index').select(key)).select(key);
  return rows
    .orderBy(['created_at', 'id'].map((column) => ({ column: `${list.as}.${column}`, order: direction })))
    .limit(limit)
    .offset(offset);
};

const selectRows = (list: List, picked: Knex.QueryBuilder): Knex.QueryBuilder =>
  list
    .select(
      queryBuilder(picked.as('picked')).join(`${list.table} as ${list.as}`, `${list.as}.id`, 'picked.id'),
    )
    .orderBy(['created_at', 'id'].map((column) => ({ column: `picked.${column}`, order: 'desc' })));

/** Newest first, and the exact total. Columns are read for the rows of the page alone. */
export const fetchPage = async <Row>(database: Database, list: List, page: Page): Promise<Paged<Row>> => {
  const offset = (page.page - 1) * page.perPage;
  const counted = await countRows(database, list);
  const { total } = counted;
  if (offset >= total) return { rows: [], total };
  const rows = selectRows(list, pickRows(list, counted, sliceOf(page, total)));
  return { rows: await database.execute<Row>(rows), total };
};
