import { type FetchPage, type Found, type List, type ListQuery, type Read, toPattern } from './lists.ts';
import { createTotals } from './totals.ts';

/** The totals of searches are exact up to this number, and this many matches can be paged. */
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
const UNINDEXED_KEY = `(created_at + interval '0')`;

/** The common parts of a list's statements. The values of the filters start at $1. */
const toSql = ({ condition = 'true', filters, ...list }: List, query: ListQuery) => {
  const given = Object.entries(filters).filter(([filter]) => query[filter] !== undefined);
  const conditions = given.map(([, template], index) => template.replace('?', `$${index + 1}`));
  const { direction = 'desc' } = list;
  return {
    name: [list.name, ...given.map(([filter]) => filter)].join('-'),
    values: given.map(([filter]) => query[filter]),
    place: (position: number): string => `$${given.length + position}`,
    keys: `${list.id} as id, ${list.createdAt} as created_at`,
    condition,
    conditions,
    leading: conditions.filter((_, index) => given[index]?.[0] === list.leadingFilter),
    where: `where ${[condition, ...conditions].join(' and ')}`,
    inOrder: (key = 'created_at', id = 'id') => `order by ${key} ${direction}, ${id} desc`,
    rowsOf: (keys: string, columns = list.columns): string =>
      `select ${columns} from (${keys}) page ${list.joins} order by page.created_at ${direction}, page.id desc`,
  };
};

const toPageStatements = (list: List, query: ListQuery, perPage: number) => {
  const { name, values, place, keys, where, inOrder, rowsOf } = toSql(list, query);
  const pageKeys = `select ${keys} from ${list.from} ${where} ${inOrder(list.createdAt, list.id)}`;
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

const SIGMA = /[Σσς]/u;

/** @param pattern the parameter with the pattern of the term */
const toContains =
  ({ ignoresAccents, isLowerCase }: List, term: string, pattern: string) =>
  (column: string): string => {
    if (ignoresAccents) return `${column} like search_key(${pattern})`;
    if (isLowerCase) return `${column} like lower(${pattern})`;
    if (!SIGMA.test(term)) return `${column} ilike ${pattern}`;
    // ς and σ are one letter, but not to `ilike`: the index finds any letter in their place.
    return `(${column} ilike translate(${pattern}, 'Σσς', '___')
      and translate(lower(${column}), 'ς', 'σ') like translate(lower(${pattern}), 'ς', 'σ'))`;
  };

const toSearchStatements = (list: List, query: ListQuery & { search: string }, offset: number) => {
  const { values, place, keys, condition, conditions, leading, where, inOrder, rowsOf } = toSql(list, query);
  const { searched = [], searchedElsewhere = [] } = list;
  const contains = toContains(list, query.search, place(3));
  const isOwnMatch = searched.map(contains).join(' or ');
  const toMatches = (from: string, isMatch: string, matched = keys): string =>
    `select ${matched} from ${from} ${where} and (${isMatch})`;
  const { from, id, createdAt } = list.searchedAs ?? list;
  // Not an `exists`, for which Postgres may first collect all matches of the other table.
  const areElsewhere = searchedElsewhere.map(
    ({ column, ofRow }) => `(select ${contains(column)} from ${ofRow})`,
  );
  const ownMatches = toMatches(from, isOwnMatch, `${id} as id, ${createdAt} as created_at`);
  const matchesElsewhere = searchedElsewhere.map(({ column, from: elsewhere }, index) => {
    const isEarlier = [isOwnMatch, ...areElsewhere.slice(0, index)].map((each) => `(${each}) is not true`);
    return toMatches(elsewhere, [contains(column), ...isEarlier].join(' and '));
  });
  /** No two have the same rows, so Postgres can stop at the limit without reading the later ones. */
  const unite = (sources: readonly string[]): string =>
    sources.map((source) => `(${source})`).join(' union all ');
  const matches = unite([ownMatches, ...matchesElsewhere]);
  const newestCount = searchedElsewhere.length > 0 ? offset + NEWEST_AFTER_OFFSET : MAX_MATCHES;
  const isMatch = [`(${[isOwnMatch, ...areElsewhere].join(' or ')})`, ...conditions].join(' and ');
  const listed = [condition, ...leading].join(' and ');
  const newestRows = `select ${keys}, ${isMatch} as is_match from ${list.from} where ${listed} ${inOrder(list.createdAt, list.id)}`;
  const limits = `limit ${place(1)} offset ${place(2)}`;
  /** Without an index, Postgres must not expect to find the page early in list order: it would read the whole table. */
  const sort = (source: string): string => `select * from (${source}) matches ${inOrder(UNINDEXED_KEY)}`;
  const sorted =
    list.textIndexedBy === createdAt
      ? [
          `${ownMatches} ${inOrder(createdAt, id)}`,
          ...(matchesElsewhere.length > 0 ? [sort(unite(matchesElsewhere))] : []),
        ]
      : [sort(matches)];
  const upToPage = sorted.map((source) => `${source} limit ${place(1)}::bigint + ${place(2)}::bigint`);
  const columns = `${list.columns}, page.created_at as listed_at`;
  const few = rowsOf(`select * from matches ${inOrder()} ${limits}`, columns);
  return {
    values,
    few: `with matches as materialized (${matches} limit ${MAX_MATCHES + 1})
      select counted.total, rows.* from (select count(*)::int as total from matches) counted
      left join (${few}) rows on true ${inOrder('rows.listed_at', 'rows.id')}`,
    newest: rowsOf(`select id, created_at from (${newestRows} limit ${newestCount}) newest
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
    const { name, values, page, total } = toPageStatements(list, query, limit);
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
    query: ListQuery & { search: string },
    perPage: number,
    offset: number,
  ): Promise<Found<Row>> => {
    const { values: filters, ...texts } = toSearchStatements(list, query, offset);
    const limit = Math.max(0, Math.min(perPage, MAX_MATCHES - offset));
    const values = [...filters, limit, offset, toPattern(query.search)];
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
    const term = query.search?.trim();
    const found = term
      ? await findMatches<Row>(list, { ...query, search: term }, perPage, offset)
      : await findRows<Row>(list, query, perPage, offset);
    return { ...found, page, perPage };
  };
};
