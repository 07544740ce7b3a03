import type { Database } from '@platform/shared/db/database';
import {
  type DayTotals,
  type List,
  type ListFilter,
  type Page,
  type Paged,
  type RowWithTotal,
  toDefined,
  toOffset,
  toPaged,
} from './list.ts';

const DAY = "interval '24 hours'";
// In UTC; date_trunc() with a time zone takes five times as long.
const DAY_OF_ROW = `date_bin(${DAY}, created_at, timestamptz '2000-01-01Z')`;

// $1 to $4; the values of the columns follow. In subqueries, because Postgres would otherwise plan the query for the values of
// each execution, and planning many partitions takes longer than the query.
const FROM = '(select $1::timestamptz)';
const UNTIL = '(select $2::timestamptz)';
const [LIMIT, OFFSET] = ['(select $3::bigint)', '(select $4::bigint)'];
const FIRST_VALUE = 5;

const unionAll = <Part>(parts: readonly Part[], toSelect: (part: Part) => string): string =>
  parts.map(toSelect).join(' union all ');

/** The conditions of a filter by `columns`. */
const createConditions = (columns: readonly string[]) => {
  const toCondition = (column: string) => `${column} = $${FIRST_VALUE + columns.indexOf(column)}`;
  return {
    toCondition,
    /** Selects the totals of the days between the limits. */
    totalsOf: ({ table, columns: all }: DayTotals, counted: readonly string[]): string => {
      const key = all.map((column) => (counted.includes(column) ? toCondition(column) : `${column} is null`));
      return `${table} where ${key.join(' and ')} and day >= ${FROM} and day <= ${UNTIL} - ${DAY}`;
    },
  };
};

type Conditions = ReturnType<typeof createConditions>;

/**
 * The days between the limits of which something is known: `total` is the number of their rows, null if unknown; `by` the column
 * whose value has the fewest rows on that day: its index finds them.
 */
const selectKnownDays = (
  dayTotals: DayTotals,
  columns: readonly string[],
  { totalsOf }: Conditions,
): string => {
  const kept = `select day, total from ${totalsOf(dayTotals, columns)}`;
  if (columns.length < 2) return `select day, total, '${columns[0] ?? ''}' as by from (${kept}) kept`;
  const totals = unionAll(
    columns,
    (column) => `select day, '${column}' as counted, total from ${totalsOf(dayTotals, [column])}`,
  );
  const ofColumn = (column: string) => `coalesce(sum(total) filter (where counted = '${column}'), 0)`;
  const list = columns.join(', ');
  // If each value has a total, a combination without one does not occur on that day (20261208-audit-day-totals.ts).
  return `
    select day, case when 0 not in (${list}) then coalesce(kept.total, 0) end as total,
      case least(${list}) ${columns.map((column) => `when ${column} then '${column}'`).join(' ')} end as by
    from (
      select day, ${columns.map((column) => `${ofColumn(column)} as ${column}`).join(', ')} from (${totals}) totals group by day
    ) by_column left join (${kept}) kept using (day)`;
};

/**
 * The rows from `starts` to `ends`, read in list order along the index of `by`. Without the offset, the planner would apply all
 * conditions in this subquery, and choose an index by statistics of all days.
 */
const selectRowsBy = (
  list: List,
  columns: readonly string[],
  by: string,
  { toCondition }: Conditions,
): string => {
  const others = columns.filter((column) => column !== by);
  const byValue = by === '' ? '' : `and ${toCondition(by)}`;
  const rows = `select ${['id', 'created_at', ...others].join(', ')} from ${list.table}
    where created_at >= starts and created_at < ends ${byValue}`;
  return others.length === 0
    ? `(${rows}) rows`
    : `(${rows} order by created_at desc, id desc offset 0) rows where ${others.map(toCondition).join(' and ')}`;
};

/** One statement for total and page. It counts the days without a total, and reads the rows of the days that contain the page. */
const toText = (list: List, dayTotals: DayTotals, columns: readonly string[]): string => {
  const { table, alias, joins = '' } = list;
  const conditions = createConditions(columns);
  const indexes = columns.length === 0 ? [''] : columns;
  const rowsBy = (by: string) => selectRowsBy(list, columns, by, conditions);
  return `
  with known_days as materialized (${selectKnownDays(dayTotals, columns, conditions)}),
  spans as materialized (
    select day as starts, day + ${DAY} as ends, total, by from known_days
    union all
    select starts, ends, null, '${indexes[0]}' from (
      select day + ${DAY} as starts, lead(day, 1, ${UNTIL}) over (order by day) as ends from known_days
      union all select ${FROM}, coalesce((select min(day) from known_days), ${UNTIL})
    ) between_days where starts < ends
  ),
  days as (
    select starts as day, total, by from spans where total is not null
    union all ${unionAll(
      indexes,
      (by) => `
    select day, counted.total, by from spans cross join lateral (
      select ${DAY_OF_ROW} as day, count(*)::int as total from ${rowsBy(by)} group by 1
    ) counted where spans.total is null and by = '${by}'`,
    )}
  ),
  placed_days as materialized (
    select *, (sum(total) over (order by day desc) - total)::int as newer_rows from days
  ),
  page_days as materialized (
    select greatest(day, ${FROM}) as starts, least(day + ${DAY}, ${UNTIL}) as ends, newer_rows, by from placed_days
    where newer_rows < ${OFFSET} + ${LIMIT} and newer_rows + total > ${OFFSET}
  )
  select counted.total, page.* from (select coalesce(sum(total), 0)::int as total from placed_days) counted
  left join (
    select ${list.columns}, true as is_row from (
      ${unionAll(
        indexes,
        (by) => `
      select id as page_id, created_at as page_created_at from page_days cross join lateral (
        select id, created_at from ${rowsBy(by)}
        order by created_at desc, id desc limit ${LIMIT} offset greatest(0, ${OFFSET} - newer_rows)
      ) rows where by = '${by}'`,
      )}
      order by page_created_at desc, page_id desc limit ${LIMIT}
    ) page_ids join ${table} ${alias} on ${alias}.id = page_id and ${alias}.created_at = page_created_at ${joins}
  ) page on true
  order by page.created_at desc, page.id desc`;
};

/**
 * A page of a list with totals of past days. The time depends neither on the length of the list nor on the position of the page:
 * it reads the totals, the rows of the days without a total, and those of the days of the page.
 */
export const fetchPageByDay = async <Row>(
  database: Database,
  list: List,
  dayTotals: DayTotals,
  { equals, from, until }: ListFilter,
  page: Page,
): Promise<Paged<Row>> => {
  const values = new Map(toDefined(equals));
  const columns = dayTotals.columns.filter((column) => values.has(column));
  const found = await database.query<Row & RowWithTotal>({
    name: `page-by-day-of-${[list.table, ...columns].join('-')}`,
    text: toText(list, dayTotals, columns),
    values: [
      from ?? '-infinity',
      until ?? 'infinity',
      page.perPage,
      toOffset(page),
      ...columns.map((column) => values.get(column)),
    ],
  });
  return toPaged(found);
};
