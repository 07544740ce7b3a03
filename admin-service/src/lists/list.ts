import { queryBuilder } from '@platform/shared/db/query-builder';
import type { Knex } from 'knex';
import type { Search } from './substring-search.ts';

/** Offset pagination; pages count from 1. */
export type Page = { page: number; perPage: number };

/** One page of a list, and the total of the list. */
export type Paged<Row> = { rows: Row[]; total: number };

/** The table that has the rows in list order, with its columns; `searched` has copies of the searched columns, by the alias k. */
type Keys = { table: string; id: string; createdAt: string; searched?: readonly string[] };

/** A list in the order of created_at and id, newest first. Its SQL refers to the table by the alias. */
export type List = {
  table: string;
  alias: string;
  columns: string;
  /** The joins that `columns` needs. */
  joins?: string;
  /** Another table with the order and the columns of `equals`; it has at most one row for each row of the list. */
  keys?: Keys;
  /** Selects the rows that belong to the list; all unless given. */
  condition?: string;
  /** The table of totals, kept by triggers (20261125-list-totals.ts). */
  totals: string;
  /** Selects the totals that belong to the list; all unless given. */
  totalsCondition?: string;
  dayTotals?: DayTotals;
};

/** Totals by day and value, where null is any value. */
export type DayTotals = {
  table: string;
  /** The columns of `equals`; of columns with an equal number of rows, the index of the first one is read. */
  columns: readonly string[];
  /** Those that the table of totals lacks. */
  onlyByDay: readonly string[];
};

/** Values by column; `undefined` does not filter. */
type Equals = Record<string, string | boolean | undefined>;

export type ListFilter = {
  /** Indexes have the rows with each of these values in list order. The table of totals, or that of totals by day, has the columns. */
  equals: Equals;
  /** Limits of created_at, for a list with totals by day; `until` is exclusive. */
  from?: Date | undefined;
  until?: Date | undefined;
  search?: Search | undefined;
};

export const toOffset = ({ page, perPage }: Page): number => (page - 1) * perPage;

export const toDefined = (equals: Equals) =>
  Object.entries(equals).filter(([, value]) => value !== undefined);

export const keysOf = ({ table, keys = { table, id: 'id', createdAt: 'created_at' } }: List): Keys => keys;

/** Each row carries the total; an empty page is one row without `isRow`. */
export type RowWithTotal = { total: number; isRow: true | null };

export const toPaged = <Row>(found: readonly (Row & RowWithTotal)[]): Paged<Row> => ({
  rows: found
    .filter(({ isRow }) => isRow === true)
    .map(({ total: _total, isRow: _isRow, ...row }) => row as unknown as Row),
  total: found[0]?.total ?? 0,
});

/** The rows with the values of `equals`, with the keys as `page_id` and `page_created_at`. */
export const selectKeys = (list: List, { equals }: ListFilter): Knex.QueryBuilder => {
  const { table, id, createdAt } = keysOf(list);
  return queryBuilder(table)
    .select({ page_id: id, page_created_at: createdAt })
    .whereRaw(list.condition ?? 'true')
    .where(Object.fromEntries(toDefined(equals)));
};

/** Joins the columns to the keys, so that they are read for the rows of the page only. The time selects the partition. */
export const selectRows = (
  { table, alias, columns, joins = '' }: List,
  keys: Knex.QueryBuilder,
): Knex.QueryBuilder =>
  queryBuilder(keys.as('page_keys'))
    .join(`${table} as ${alias}`, {
      [`${alias}.id`]: 'page_keys.page_id',
      [`${alias}.created_at`]: 'page_keys.page_created_at',
    })
    .joinRaw(joins)
    .select(queryBuilder.raw(columns))
    .orderBy([
      { column: 'page_keys.page_created_at', order: 'desc' },
      { column: 'page_keys.page_id', order: 'desc' },
    ]);
