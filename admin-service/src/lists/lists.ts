import type { Statement } from '@platform/shared/db/database';
import { createTotals } from './totals.ts';

/** Offset pagination; pages count from 1. */
export type Page = { page: number; perPage: number };

export type Paged<Row> = { rows: Row[]; total: number; isCapped: boolean };

/** A list, newest first. */
export type List = {
  /** Of the prepared statements. */
  name: string;
  /** The tables that filters need, with aliases for the SQL below. An index of each combination of filters has their order. */
  from: string;
  id: string;
  createdAt: string;
  condition?: string;
  /** The columns of a search; each has a trigram index. */
  searched?: readonly string[];
  /** The columns of a row, with id and created_at. */
  columns: string;
  /** Joins the tables of the columns to the page, which has the keys id and created_at. */
  joins: string;
};

export type ListFilter = {
  /** Values by column; undefined does not filter. */
  equals: Record<string, string | boolean | undefined>;
  /** Selects the rows of which a searched column contains the text, ignoring case. */
  search?: string | undefined;
};

export type Read = <Row>(statement: Statement) => Promise<Row[]>;

/** The totals of searches are exact up to this number, and so many matches can be paged. */
export const MAX_MATCHES = 10_000;
/** A search with more matches reads so many rows in list order, before it sorts all matches, which may be a million. */
const NEWEST_ROWS = 20_000;
/** The maximum in openapi/admin.yaml. */
const MAX_PER_PAGE = 100;

type PageQuery = { page?: number | undefined; perPage?: number | undefined };

export const toPage = ({ page = 1, perPage = 10 }: PageQuery): Page => ({ page, perPage });

export const toPageBody = <Row, Body>(
  { rows, total, isCapped }: Paged<Row>,
  { page, perPage }: Page,
  toBody: (row: Row) => Body,
) => ({ data: rows.map(toBody), total, page, perPage, ...(isCapped && { totalCapped: true as const }) });

const toOffset = ({ page, perPage }: Page): number => (page - 1) * perPage;

/** `%`, `_` and `\` are ordinary characters of a search. */
const toPattern = (search: string): string => `%${search.replace(/[\\%_]/g, '\\$&')}%`;

/** The values of the filter are $1 and the following; then come limit and offset, last the pattern of a search. */
const toSql = (list: List, { equals }: ListFilter) => {
  const defined = Object.entries(equals).filter(([, value]) => value !== undefined);
  const conditions = defined.map(([column], index) => `${column} = $${index + 1}`);
  const place = (position: number): string => `$${defined.length + position}`;
  const keys = `${list.id} as id, ${list.createdAt} as created_at`;
  const selected = `from ${list.from} where ${[list.condition ?? 'true', ...conditions].join(' and ')}`;
  const inListOrder = `order by ${list.createdAt} desc, ${list.id} desc`;
  const [limit, offset, pattern] = [place(1), place(2), place(3)];
  const contains = (columns: readonly string[]): string =>
    `(${columns.map((column) => `${column} ilike ${pattern}`).join(' or ')})`;
  const searched = list.searched ?? [];
  const texts = searched.map((column, index) => `${column} as text_${index}`);

  const selectRows = (selectKeys: string): string => `
    select ${list.columns} from (${selectKeys}) page ${list.joins} order by page.created_at desc, page.id desc`;
  const matches = `select ${keys} ${selected} and ${contains(searched)}`;
  const pageOfMatches = selectRows(
    `select * from matches order by created_at desc, id desc limit ${limit} offset ${offset}`,
  );
  return {
    name: [list.name, ...defined.map(([column]) => column)].join('-'),
    values: defined.map(([, value]) => value),
    total: `select count(*)::int as total ${selected}`,
    // Limits in subqueries and a constant one, because Postgres plans a prepared statement for a tenth of the table.
    page: selectRows(`
      select * from (
        select ${keys} ${selected} ${inListOrder} limit (select ${limit}::int) offset (select ${offset}::int)
      ) keys limit ${MAX_PER_PAGE}`),
    // Materialized: Postgres would hope to find the page soon in list order, and read the whole list.
    fewMatches: `
      with matches as materialized (${matches} limit ${MAX_MATCHES + 1})
      select counted.total, rows.* from (select count(*)::int as total from matches) counted
      left join (${pageOfMatches}) rows on true order by rows.created_at desc, rows.id desc`,
    newestMatches: selectRows(`
      select id, created_at from (
        select ${[keys, ...texts].join(', ')} ${selected} ${inListOrder} limit ${NEWEST_ROWS}
      ) newest where ${contains(searched.map((_, index) => `text_${index}`))}
      order by created_at desc, id desc limit ${limit} offset ${offset}`),
    allMatches: `with matches as materialized (${matches}) ${pageOfMatches}`,
  };
};

type Options = {
  read: Read;
  /** With few connections of its own: searches may wait for one, lists may not. */
  search: Read;
};

export const createLists = ({ read, search }: Options) => {
  const readTotal = createTotals();

  /** An index has the page. */
  const fetchPage = async <Row>(list: List, filter: ListFilter, page: Page): Promise<Paged<Row>> => {
    const sql = toSql(list, filter);
    const { name, values } = sql;
    const count = async (): Promise<number> => {
      const [counted] = await read<{ total: number }>({ name: `total-of-${name}`, text: sql.total, values });
      return counted?.total ?? 0;
    };
    const [rows, total] = await Promise.all([
      read<Row>({
        name: `page-of-${name}`,
        text: sql.page,
        values: [...values, page.perPage, toOffset(page)],
      }),
      readTotal([name, ...values].join(), count),
    ]);
    return { rows, total, isCapped: false };
  };

  /** An index finds the matches, but not in list order: they are sorted, if possible only those in the newest rows. */
  const searchPage = async <Row>(
    list: List,
    filter: ListFilter & { search: string },
    page: Page,
  ): Promise<Paged<Row>> => {
    const sql = toSql(list, filter);
    const offset = toOffset(page);
    const limit = Math.max(0, Math.min(page.perPage, MAX_MATCHES - offset));
    const values = [...sql.values, limit, offset, toPattern(filter.search)];

    // Without a name, so that Postgres plans each search for its pattern.
    const few = await search<Row & { id: string | null; total: number }>({ text: sql.fewMatches, values });
    const total = few[0]?.total ?? 0;
    if (total <= MAX_MATCHES) return { rows: few.filter(({ id }) => id !== null), total, isCapped: false };
    const newest = await search<Row>({ text: sql.newestMatches, values });
    const rows = newest.length === limit ? newest : await search<Row>({ text: sql.allMatches, values });
    return { rows, total: MAX_MATCHES, isCapped: true };
  };

  /** A page, and the total of the list. */
  return <Row>(list: List, filter: ListFilter, page: Page): Promise<Paged<Row>> =>
    filter.search
      ? searchPage(list, { ...filter, search: filter.search }, page)
      : fetchPage(list, filter, page);
};

export type FetchPage = ReturnType<typeof createLists>;
