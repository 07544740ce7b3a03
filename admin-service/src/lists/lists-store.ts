import type { FetchPage, Found, List, ListQuery, Read, Searched } from './lists.ts';
import { toPattern } from './searches.ts';
import { createTotals } from './totals.ts';

/**
 * The totals of searches are exact up to this number, and this many matches can be paged. Among a million rows, the last
 * page takes up to 2.8 s.
 */
const MAX_MATCHES = 10_000;
/**
 * If other tables are searched, a row costs a lookup in each, so fewer rows are read. A term with more than
 * MAX_MATCHES matches in a million rows usually has its first page among these.
 */
const NEWEST_AFTER_OFFSET = 2_000;
/** The default and the maximum in the contract. */
const DEFAULT_PER_PAGE = 10;
const MAX_PER_PAGE = 100;

/** The key of the order, as a value that no index has; it stays null where it is null. */
const UNINDEXED_KEY = `(list_order + interval '0')`;

/** The common parts of a list's statements. The values of the filters start at $1. */
const toSql = ({ condition = 'true', filters, ...list }: List, query: ListQuery) => {
  const given = Object.entries(filters).filter(([filter]) => query[filter] !== undefined);
  const conditions = given.map(([, template], index) => template.replace('?', `$${index + 1}`));
  const { direction = 'desc' } = list;
  return {
    name: [list.name, ...given.map(([filter]) => filter)].join('-'),
    values: given.map(([filter]) => query[filter]),
    place: (position: number): string => `$${given.length + position}`,
    keys: `${list.id} as id, ${list.order} as list_order`,
    where: `where ${[condition, ...conditions].join(' and ')}`,
    inOrder: (key = 'list_order', id = 'id') => `order by ${key} ${direction}, ${id} desc`,
    rowsOf: (keys: string, columns = list.columns): string =>
      `select ${columns} from (${keys}) page ${list.joins} order by page.list_order ${direction}, page.id desc`,
  };
};

const toPageStatements = (list: List, query: ListQuery, perPage: number) => {
  const { name, values, place, keys, where, inOrder, rowsOf } = toSql(list, query);
  const pageKeys = `select ${keys} from ${list.from} ${where} ${inOrder(list.order, list.id)}`;
  const total = `select count(*)::int as total from ${list.from} ${where}`;
  if (list.isPlannedForValues)
    return {
      name,
      values,
      page: { text: rowsOf(`${pageKeys} limit ${place(1)} offset ${place(2)}`) },
      total: { text: total },
    };
  // The limits are in subqueries, so Postgres plans a prepared statement for a tenth of the table; the
  // additional constant limit corrects this. For few rows it uses the index, for many it may read a small
  // table.
  const maximum = perPage <= DEFAULT_PER_PAGE ? DEFAULT_PER_PAGE : MAX_PER_PAGE;
  const page = rowsOf(`select * from (
      ${pageKeys} limit (select ${place(1)}::bigint) offset (select ${place(2)}::bigint)
    ) keys limit ${maximum}`);
  return {
    name,
    values,
    page: { name: `page-of-${name}-${maximum}`, text: page },
    total: { name: `total-of-${name}`, text: total },
  };
};

type Search = ListQuery & { terms: readonly string[] };

/** One of the texts contains all terms. @param patterns the parameters with their patterns */
const toContains =
  (terms: readonly string[], patterns: readonly string[]) =>
  (searched: readonly Searched[]): string =>
    searched.map((text) => `(${text(patterns, terms)})`).join(' or ');

const toSearchStatements = (list: List, query: Search, offset: number) => {
  const { values, place, keys, where, inOrder, rowsOf } = toSql(list, query);
  const { searched = [], searchedElsewhere = [], from, order, id } = list;
  const contains = toContains(
    query.terms,
    query.terms.map((_, index) => place(3 + index)),
  );
  const isOwnMatch = contains(searched);
  const own = list.searchedAs ?? list;
  const toMatches = (tables: string, isMatch: string): string =>
    `select ${own.id} as id, ${own.order} as list_order from ${tables} ${where} and (${isMatch})`;
  // Not an `exists`, for which Postgres may first collect all matches of the other table.
  const areElsewhere = searchedElsewhere.map(
    ({ searched: others, ofRow }) => `(select ${contains(others)} from ${ofRow})`,
  );
  const ownMatches = toMatches(own.from, isOwnMatch);
  const matchesElsewhere = searchedElsewhere.map(({ searched: others, from: elsewhere }, index) => {
    const isEarlier = [isOwnMatch, ...areElsewhere.slice(0, index)].map((each) => `(${each}) is not true`);
    return toMatches(elsewhere, [`(${contains(others)})`, ...isEarlier].join(' and '));
  });
  /** No two have the same rows, so Postgres can stop at the limit without reading the later ones. */
  const unite = (sources: readonly string[]): string =>
    sources.map((source) => `(${source})`).join(' union all ');
  const matches = unite([ownMatches, ...matchesElsewhere]);
  const newestCount = searchedElsewhere.length > 0 ? offset + NEWEST_AFTER_OFFSET : MAX_MATCHES;
  const isMatch = [isOwnMatch, ...areElsewhere].join(' or ');
  const newestRows = `select ${keys}, ${isMatch} as is_match from ${from} ${where} ${inOrder(order, id)}`;
  const limits = `limit ${place(1)} offset ${place(2)}`;
  /** Without an index, Postgres must not expect to find the page early in list order: it would read the whole table. */
  const sort = (source: string): string => `select * from (${source}) matches ${inOrder(UNINDEXED_KEY)}`;
  const sorted = list.isSearchedInOrder
    ? [
        `${ownMatches} ${inOrder(own.order, own.id)}`,
        ...(matchesElsewhere.length > 0 ? [sort(unite(matchesElsewhere))] : []),
      ]
    : [sort(matches)];
  const upToPage = sorted.map((source) => `${source} limit ${place(1)}::bigint + ${place(2)}::bigint`);
  const columns = `${list.columns}, page.list_order as listed_at`;
  const few = rowsOf(`select * from matches ${inOrder()} ${limits}`, columns);
  return {
    values,
    few: `with matches as materialized (${matches} limit ${MAX_MATCHES + 1})
      select counted.total, rows.* from (select count(*)::int as total from matches) counted
      left join (${few}) rows on true ${inOrder('rows.listed_at', 'rows.id')}`,
    newest: rowsOf(`select id, list_order from (${newestRows} limit ${newestCount}) newest
      where is_match ${inOrder()} ${limits}`),
    all: rowsOf(`select * from (${unite(upToPage)}) matches ${inOrder()} ${limits}`),
  };
};

type Options = {
  read: Read;
  /** Has few separate connections: searches may wait for one, but lists may not. */
  search: Read;
};

export const createLists = ({ read, search }: Options): FetchPage => {
  const readTotal = createTotals();

  /** An index contains the page. */
  const findRows = async <Row>(list: List, query: ListQuery, limit: number, offset: number) => {
    const { values, page } = toPageStatements(list, query, limit);
    const { name, total } = toPageStatements(list.countedAs ?? list, query, limit);
    const count = async (): Promise<number> => {
      const [counted] = await read<{ total: number }>({ ...total, values });
      return counted?.total ?? 0;
    };
    const [rows, counted] = await Promise.all([
      read<Row>({ ...page, values: [...values, limit, offset] }),
      readTotal(JSON.stringify([name, ...values]), count),
    ]);
    return { rows, total: counted, isCapped: false };
  };

  /**
   * An index finds the matches, but not in list order. More than MAX_MATCHES are sorted only if the newest
   * rows of the list do not fill the page. The statements are not prepared, so that Postgres plans each
   * search for its pattern.
   */
  const findMatches = async <Row>(
    list: List,
    query: Search,
    perPage: number,
    offset: number,
  ): Promise<Found<Row>> => {
    const { values: filters, ...texts } = toSearchStatements(list, query, offset);
    const limit = Math.max(0, Math.min(perPage, MAX_MATCHES - offset));
    const values = [...filters, limit, offset, ...query.terms.map(toPattern)];
    const few = await search<Row & { id: string | null; total: number; listedAt: Date }>({
      text: texts.few,
      values,
    });
    const total = few[0]?.total ?? 0;
    if (total <= MAX_MATCHES) {
      const found = few.filter(({ id }) => id !== null);
      return {
        rows: found.map(({ total: _total, listedAt: _listedAt, ...row }) => row as Row),
        total,
        isCapped: false,
      };
    }
    const newest = await search<Row>({ text: texts.newest, values });
    const rows = newest.length === limit ? newest : await search<Row>({ text: texts.all, values });
    return { rows, total: MAX_MATCHES, isCapped: true };
  };

  return async <Row>(list: List, query: ListQuery) => {
    const { page = 1, perPage = DEFAULT_PER_PAGE } = query;
    const offset = (page - 1) * perPage;
    const { terms = [] } = query;
    const found =
      terms.length > 0
        ? await findMatches<Row>(list, { ...query, terms }, perPage, offset)
        : await findRows<Row>(list, query, perPage, offset);
    return { ...found, page, perPage };
  };
};
