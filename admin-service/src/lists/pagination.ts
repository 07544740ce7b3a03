import type { Database } from '@platform/shared/db/database';
import { queryBuilder } from '@platform/shared/db/query-builder';
import type { Knex } from 'knex';
import type { SearchStrategy } from './substring-search.ts';

/** Offset pagination; pages count from 1. */
export type Page = { page: number; perPage: number };

/** One page of a list, and the total of the list. */
export type Paged<Row> = { rows: Row[]; total: number };

type PageQuery = { page?: number | undefined; perPage?: number | undefined };

export const toPage = ({ page = 1, perPage = 10 }: PageQuery): Page => ({ page, perPage });

export const toPageBody = <Row, Body>(
  { rows, total }: Paged<Row>,
  { page, perPage }: Page,
  toBody: (row: Row) => Body,
) => ({ data: rows.map(toBody), total, page, perPage });

/** A list in the order of created_at and id, newest first. Its SQL refers to the table by the alias. */
export type List = {
  table: string;
  alias: string;
  columns: string;
  /** The joins that `columns` needs. */
  joins?: string;
  /** Selects the rows that belong to the list; all unless given. */
  condition?: string;
  /** The table of totals, kept by triggers (20261125-list-totals.ts). */
  totals: string;
  /** Selects the totals for filters without `totalEquals`; all unless given. */
  totalsCondition?: string;
};

/** Values by column; `undefined` does not filter. */
type Equals = Record<string, string | boolean | undefined>;

export type ListFilter = {
  /** Indexes have the rows with these values in list order, and the table of totals has these columns. */
  equals: Equals;
  /** The table of totals lacks the columns of `equals`: the rows are counted along the index. */
  isCounted?: boolean;
  /** Conditions for which no index is in list order. The page and the total share them. */
  where?: ((rows: Knex.QueryBuilder, strategy: SearchStrategy) => Knex.QueryBuilder) | undefined;
  /** Selects the kept total of `where`. Without it the rows are counted. */
  totalEquals?: Equals | undefined;
};

/** Beyond this offset, reading from the end may be faster, which depends on the total. */
const MAX_PREPARED_OFFSET = 1_000;

/** The maximum in openapi/admin.yaml. Postgres plans an unknown limit for a tenth of the table, so a constant one follows. */
const MAX_PER_PAGE = 100;

const toOffset = ({ page, perPage }: Page): number => (page - 1) * perPage;

const toDefined = (equals: Equals) => Object.entries(equals).filter(([, value]) => value !== undefined);

const toConditions = (columns: readonly string[], condition = 'true'): string =>
  [condition, ...columns.map((column, index) => `${column} = $${index + 3}`)].join(' and ');

/**
 * Written by hand and prepared under a name: building and planning this query would take longer than running it. $1 and $2
 * are limit and offset; in subqueries, because Postgres would otherwise plan the query for the values of each execution.
 */
const toFirstPagesText = (list: List, columns: readonly string[], isCounted = false): string => {
  const { table, alias, totals } = list;
  const total = isCounted
    ? `select count(*)::int as total from ${table} where ${toConditions(columns, list.condition)}`
    : `select coalesce(sum(total), 0)::int as total from ${totals} where ${toConditions(columns, list.totalsCondition)}`;
  return `
    select counted.total, page.* from (${total}) counted left join (
      select ${list.columns}, true as is_row from (
        select id as page_id, created_at as page_created_at from (
          select id, created_at from ${table} where ${toConditions(columns, list.condition)}
          order by created_at desc, id desc limit (select $1::int) offset (select $2::int)
        ) ids limit ${MAX_PER_PAGE}
      ) page_ids join ${table} ${alias} on ${alias}.id = page_id and ${alias}.created_at = page_created_at ${list.joins ?? ''}
    ) page on true
    order by page.created_at desc, page.id desc`;
};

/** Each row carries the total; an empty page is one row without `isRow`. */
type RowWithTotal = { total: number; isRow: true | null };

/** One of the first pages and the total, in one round trip. */
const fetchFirstPages = async <Row>(
  database: Database,
  list: List,
  { equals, isCounted }: ListFilter,
  page: Page,
): Promise<Paged<Row>> => {
  const defined = toDefined(equals);
  const columns = defined.map(([column]) => column);
  const found = await database.query<Row & RowWithTotal>({
    name: `near-page-of-${[list.table, ...columns].join('-')}`,
    text: toFirstPagesText(list, columns, isCounted),
    values: [page.perPage, toOffset(page), ...defined.map(([, value]) => value)],
  });
  const isRow = (row: RowWithTotal) => row.isRow === true;
  return {
    rows: found.filter(isRow).map(({ total: _total, isRow: _isRow, ...row }) => row as Row),
    total: found[0]?.total ?? 0,
  };
};

const selectMatching = (list: List, { equals, where }: ListFilter, strategy: SearchStrategy) => {
  const { table, alias, condition = 'true' } = list;
  const values = toDefined(equals).map(([column, value]) => [`${alias}.${column}`, value]);
  const rows = queryBuilder(`${table} as ${alias}`).whereRaw(condition).where(Object.fromEntries(values));
  return where ? where(rows, strategy) : rows;
};

const selectTotal = (list: List, filter: ListFilter): Knex.QueryBuilder => {
  const { equals, where, totalEquals } = filter;
  const total = queryBuilder.raw('coalesce(sum(total), 0)::int as total');
  const totals = queryBuilder(list.totals).select(total);
  if (!where && !filter.isCounted)
    return totals.whereRaw(list.totalsCondition ?? 'true').where(Object.fromEntries(toDefined(equals)));
  if (totalEquals) return totals.where(Object.fromEntries(toDefined(totalEquals)));
  return selectMatching(list, filter, 'index').select(queryBuilder.raw('count(*)::int as total'));
};

type Counts = { total: number; estimatedTableRows: number };

const fetchCounts = async (database: Database, list: List, filter: ListFilter): Promise<Counts> => {
  // A partitioned table has no estimate; its partitions have one each.
  const estimate = `(
    select sum(greatest(reltuples, 0)) from pg_class
    where oid = any(?::regclass::oid || array(select relid::oid from pg_partition_tree(?::regclass)))
  )::float8 as estimated_table_rows`;
  const [counts] = await database.execute<Counts>(
    queryBuilder(selectTotal(list, filter).as('counted')).select(
      'total',
      queryBuilder.raw(estimate, [list.table, list.table]),
    ),
  );
  return counts ?? { total: 0, estimatedTableRows: 0 };
};

type Slice = { limit: number; offset: number; direction: 'asc' | 'desc' };

/** Pages of the second half are read from the end of the list, which skips fewer rows. */
const toSlice = (page: Page, total: number): Slice => {
  const offset = toOffset(page);
  const limit = Math.min(page.perPage, total - offset);
  return offset <= total / 2
    ? { limit, offset, direction: 'desc' }
    : { limit, offset: total - offset - limit, direction: 'asc' };
};

/**
 * The ids of a page. With many matches a scan in list order soon fills the page; with few it is faster to find all of them
 * and sort. The planner can only estimate the matches, and a wrong estimate scans a million rows, so the count decides.
 */
const selectIds = (list: List, filter: ListFilter, counts: Counts, slice: Slice): Knex.QueryBuilder => {
  const { alias } = list;
  const { total, estimatedTableRows } = counts;
  const { limit, offset, direction } = slice;
  const keys = [`${alias}.id`, `${alias}.created_at`];
  const scans = !filter.where || total * total > (offset + limit) * estimatedTableRows;
  const rows = scans
    ? selectMatching(list, filter, 'scan').select(keys)
    : queryBuilder(alias)
        .withMaterialized(alias, selectMatching(list, filter, 'index').select(keys))
        .select(keys);
  return rows
    .orderBy(['created_at', 'id'].map((column) => ({ column: `${alias}.${column}`, order: direction })))
    .limit(limit)
    .offset(offset);
};

/** Joins the columns to the ids, so that they are read for the rows of the page only. The time selects the partition. */
const selectRows = ({ table, alias, columns, joins = '' }: List, ids: Knex.QueryBuilder): Knex.QueryBuilder =>
  queryBuilder(ids.as('page_ids'))
    .join(`${table} as ${alias}`, {
      [`${alias}.id`]: 'page_ids.id',
      [`${alias}.created_at`]: 'page_ids.created_at',
    })
    .joinRaw(joins)
    .select(queryBuilder.raw(columns))
    .orderBy(['created_at', 'id'].map((column) => ({ column: `page_ids.${column}`, order: 'desc' })));

/** A page, newest first, and the exact total. */
export const fetchPage = async <Row>(
  database: Database,
  list: List,
  filter: ListFilter,
  page: Page,
): Promise<Paged<Row>> => {
  const isPrepared = !filter.where && page.perPage <= MAX_PER_PAGE && toOffset(page) < MAX_PREPARED_OFFSET;
  if (isPrepared) return fetchFirstPages(database, list, filter, page);
  const counts = await fetchCounts(database, list, filter);
  const { total } = counts;
  if (toOffset(page) >= total) return { rows: [], total };
  const ids = selectIds(list, filter, counts, toSlice(page, total));
  return { rows: await database.execute<Row>(selectRows(list, ids)), total };
};
