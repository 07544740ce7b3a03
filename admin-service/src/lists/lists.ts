import type { Statement } from '@platform/shared/db/database';

/** Pages start at 1. */
export type PageQuery = { page?: number | undefined; perPage?: number | undefined };

/** The query of a list. The other values are those of the list's filters. */
export type ListQuery = PageQuery & {
  /** The terms of a search: selects the rows of which a searched text contains all; in Unicode's form NFC. */
  terms?: readonly string[];
  [filter: string]: string | number | boolean | Date | readonly string[] | undefined;
};

/** The condition that a text, which has a trigram index, contains all terms. @param patterns the parameters with their patterns */
export type Searched = (patterns: readonly string[], terms: readonly string[]) => string;

/** Texts in a row of another table. */
type ElsewhereSearched = {
  searched: readonly Searched[];
  /** Joins the tables of the list to the other one. */
  from: string;
  /** The row of the other table that belongs to a row of the list; there is at most one. */
  ofRow: string;
};

/** A list. Its SQL refers to tables by their aliases. */
export type List = {
  name: string;
  /** The tables of the id, the order and the filters. */
  from: string;
  /**
   * The same for a search: joined by a single column, because Postgres expects far too few rows of a join by two that
   * depend on each other, and with the keys of the table that has the text, so that it does not sort the other one first.
   * At a million users, a search among 182 operators takes 17 ms of processor time instead of 206 ms.
   */
  searchedAs?: { from: string; id: string; order: string };
  id: string;
  /** The column that orders the list. */
  order: string;
  /** The default is `desc`, newest first. Rows with equal values are ordered by id, descending. */
  direction?: 'asc' | 'desc nulls last' | 'asc nulls last';
  /**
   * No single plan of a prepared statement is good for every value. At a million users, the newest employees took 0.4 s
   * instead of 15 ms, oldest first, by the plan that had suited all customers.
   */
  isPlannedForValues?: boolean;
  /** A list of the same rows and filters that is counted in less time: 600,000 customers in 0.15 s instead of 1.5 s. */
  countedAs?: List | undefined;
  condition?: string;
  /** The condition of each filter; `?` is its value. */
  filters: Readonly<Record<string, string>>;
  searched?: readonly Searched[];
  /**
   * An index in the order of the list has the texts and the filters, too. Sorting all matches of a frequent role took 2 to
   * 6 s at a million users.
   */
  isSearchedInOrder?: boolean;
  searchedElsewhere?: readonly ElsewhereSearched[];
  columns: string;
  /** Joins the tables of the columns to `page`, which has the columns id and list_order. */
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
