import type { Statement } from '@platform/shared/db/database';

/** Pages start at 1. */
export type PageQuery = { page?: number | undefined; perPage?: number | undefined };

/** The query of a list. The other values are those of the list's filters. */
export type ListQuery = PageQuery & {
  /** Selects the rows of which a searched column contains this text, ignoring case; in Unicode's form NFC. */
  search?: string | undefined;
  [filter: string]: string | number | boolean | Date | undefined;
};

/** A column of another table, with a trigram index. */
type ElsewhereSearched = {
  column: string;
  /** Joins the tables of the list to that of the column. */
  from: string;
  /** The row of the other table that belongs to a row of the list; there is at most one. */
  ofRow: string;
};

/** A list. Its SQL refers to tables by their aliases. */
export type List = {
  name: string;
  /**
   * The tables of the keys and filters. An index has the order of the list for each combination of filters.
   */
  from: string;
  /**
   * The same tables and keys for a search: joined by a single column, because Postgres expects far too few rows
   * of a join by two that depend on each other, and with the keys of the table that has the text, so that it
   * does not sort the other one first.
   */
  searchedAs?: { from: string; id: string; createdAt: string };
  id: string;
  /** Orders the list; it need not be the time of creation. */
  createdAt: string;
  /** The default is `desc`, newest first. Rows with equal values are ordered by id, descending. */
  direction?: 'asc' | 'desc nulls last' | 'asc nulls last';
  /**
   * No single plan of a prepared statement is good for every value: a filter may match nearly all rows, or
   * nearly none.
   */
  isPlannedForValues?: true;
  condition?: string;
  /** The condition of each filter; `?` is its value. */
  filters: Readonly<Record<string, string>>;
  /** The filter by which every index of the list begins. The newest rows are read with it. */
  leadingFilter?: string;
  /** The columns of a search; each has a trigram index. */
  searched?: readonly string[];
  /** The first column of an index in list order that also has the columns of the search and of the filters. */
  textIndexedBy?: string;
  /** The columns of the search are ASCII in lower case. */
  isLowerCase?: true;
  /** Accents make no difference to a search. Its columns are search keys (search_key.sql), or ASCII in lower case. */
  ignoresAccents?: true;
  /** The columns of a search in other tables. */
  searchedElsewhere?: readonly ElsewhereSearched[];
  columns: string;
  /** Joins the tables of the columns to `page`, which has the keys id and created_at. */
  joins: string;
};

export type Found<Row> = { rows: Row[]; total: number; isCapped: boolean };
export type Page<Row> = Found<Row> & { page: number; perPage: number };

export type Read = <Row>(statement: Statement) => Promise<Row[]>;

export type FetchPage = <Row>(list: List, query: ListQuery) => Promise<Page<Row>>;

/** The page of the items that the rows stand for. */
export const mapPage = <Row, Item>({ rows, ...page }: Page<Row>, toItem: (row: Row) => Item): Page<Item> => ({
  ...page,
  rows: rows.map(toItem),
});

export const toPageBody = <Item>({ rows, total, isCapped, page, perPage }: Page<Item>) => ({
  data: rows,
  total,
  page,
  perPage,
  ...(isCapped && { totalCapped: true as const }),
});

/** A time of a query. Postgres would not read each offset that a date-time may have. */
export const toDate = (time: string | undefined): Date | undefined =>
  time === undefined ? undefined : new Date(time);

/** `%`, `_` and `\` are ordinary characters in a search. */
export const toPattern = (search: string): string => `%${search.replace(/[\\%_]/g, '\\$&')}%`;
