import type { Database } from '@platform/shared/db/database';
import { queryBuilder } from '@platform/shared/db/query-builder';
import type { Knex } from 'knex';
import { fetchSlice } from './deep-pages.ts';
import {
  keysOf,
  type List,
  type ListFilter,
  type Page,
  type Paged,
  type RowWithTotal,
  selectRows,
  toDefined,
  toOffset,
  toPaged,
} from './list.ts';
import { checkText, chooseWay, findGrams, findText, type Search, type Way } from './substring-search.ts';

const SAMPLED_BLOCKS = 100;

type SearchFilter = ListFilter & { search: Search };

/** Splits the list: at times, and at ids among the rows of a time that many share, for example after an import. */
type Bounds = { times: string[]; ids: Record<string, string[]> };

/** `selected` have the values of the other filters, `matches` the term. */
type Sample = Bounds & { rows: number; selected: number; matches: number };

const PERCENTILES =
  'percentile_disc(array(select share / 100.0 from generate_series(1, 99) share)) within group';

const SAMPLE_COLUMNS = `
  count(*)::int as rows, (count(*) filter (where is_selected))::int as selected,
  (count(*) filter (where is_match))::int as matches,
  coalesce((select array_agg(distinct bound order by bound)::text[] from unnest(
    ${PERCENTILES} (order by created_at)
  ) time, lateral (values (time), (time + interval '1 microsecond')) bounds (bound)), '{}') as times,
  (select coalesce(jsonb_object_agg(created_at, ids), '{}') from (
    select created_at::text, ${PERCENTILES} (order by id) as ids from sampled
    where created_at in (
      select created_at from sampled group by created_at having count(*) > 0.02 * (select count(*) from sampled)
    )
    group by created_at
  ) shared) as ids`;

/** A share of the blocks. */
const SAMPLED = `?? as ?? tablesample system (
  least(100, 100.0 * ${SAMPLED_BLOCKS} * current_setting('block_size')::int / greatest(1, pg_relation_size(?)))
)`;

/** A look at some rows: statistics of the planner may be missing or outdated, and do not cover texts. */
const fetchSample = async (
  database: Database,
  list: List,
  { equals, search }: SearchFilter,
): Promise<Sample> => {
  const { table, alias, keys, condition = 'true' } = list;
  // The columns of another table are not sampled.
  const filters = keys ? {} : Object.fromEntries(toDefined(equals));
  const selected = Object.keys(filters).map((column) => `${alias}.${column} = :${column}`);
  const rows = queryBuilder(queryBuilder.raw(SAMPLED, [table, alias, table]))
    .select(
      'created_at',
      'id',
      queryBuilder.raw(`${['true', ...selected].join(' and ')} as is_selected`, filters),
      queryBuilder.raw('? as is_match', [checkText(search)]),
    )
    .whereRaw(condition);
  const [sample] = await database.execute<Sample>(
    queryBuilder('sampled').with('sampled', rows).select(queryBuilder.raw(SAMPLE_COLUMNS)),
  );
  return sample ?? { rows: 0, selected: 0, matches: 0, times: [], ids: {} };
};

const toCondition = (search: Search, way: Way, searched?: readonly string[]): Knex.Raw =>
  ({ find: findText, grams: findGrams, check: (checked: Search) => checkText(checked, searched) })[way](
    search,
  );

/** The keys of the rows that the filter selects: found by an index of the text, or each row checked. */
const selectMatches = (list: List, filter: SearchFilter, way: Way): Knex.QueryBuilder => {
  const { table, alias, keys, condition = 'true' } = list;
  const { id, createdAt, ...ordered } = keysOf(list);
  const prefix = keys ? 'k' : alias;
  const equals = toDefined(filter.equals).map(([column, value]) => [`${prefix}.${column}`, value]);
  const rows = queryBuilder(`${ordered.table} as ${prefix}`)
    .select({ page_id: `${prefix}.${id}`, page_created_at: `${prefix}.${createdAt}` })
    .whereRaw(condition)
    .where(Object.fromEntries(equals));
  if (keys && way !== 'check') rows.join(`${table} as ${alias}`, `${alias}.id`, `k.${id}`);
  return rows.whereRaw(toCondition(filter.search, way, ordered.searched));
};

type Slice = { limit: number; offset: number };

/** The page of all matches, which are few: materialized, so that Postgres does not hope to find the page in list order. */
const fetchPageOf = async <Row>(
  database: Database,
  list: List,
  matches: Knex.QueryBuilder,
  { limit, offset }: Slice,
): Promise<Paged<Row>> => {
  const keys = queryBuilder('matches')
    .select('page_id', 'page_created_at')
    .orderBy(['page_created_at', 'page_id'].map((column) => ({ column, order: 'desc' })))
    .limit(limit)
    .offset(offset);
  const found = await database.execute<Row & RowWithTotal>(
    queryBuilder(queryBuilder('matches').select(queryBuilder.raw('count(*)::int as total')).as('counted'))
      .withMaterialized('matches', matches)
      .leftJoin(selectRows(list, keys).select(queryBuilder.raw('true as is_row')).as('page'), (join) =>
        join.on(queryBuilder.raw('true')),
      )
      .select('counted.total', 'page.*')
      .orderBy(['page.created_at', 'page.id'].map((column) => ({ column, order: 'desc' }))),
  );
  return toPaged(found);
};

/** More than the percentiles of the ids of a time. */
const PARTS = 100;

/** `bucket` is PARTS * n + m: the matches from the n-th time until the next, counted from 1, and within it from the m-th id. */
type Bucket = { bucket: number; total: number };

// One number: grouping by two takes a fifth of the time of the whole query.
const toBucket = ({ times, ids }: Bounds): Knex.Raw => {
  const shared = Object.entries(ids);
  const cases = shared.map(
    () => 'when page_created_at = ?::timestamptz then width_bucket(page_id, ?::uuid[])',
  );
  const part = shared.length === 0 ? '0' : `case ${cases.join(' ')} else 0 end`;
  return queryBuilder.raw(`${PARTS} * width_bucket(page_created_at, ?::timestamptz[]) + ${part} as bucket`, [
    times,
    ...(shared.flat() as string[]),
  ]);
};

/**
 * The subquery hides from the planner how many times there are: for as many buckets it would sort the rows on one processor,
 * instead of counting them on several. Its offset is a constant from the start, because a subquery with a limit is not parallel.
 */
const countByBucket = (database: Database, matches: Knex.QueryBuilder, bounds: Bounds) => {
  const bucketed = queryBuilder(matches.as('matches')).select(toBucket(bounds));
  return database.execute<Bucket>(
    queryBuilder(queryBuilder.raw("(? offset bigint '0') as bucketed", [bucketed]))
      .select('bucket', queryBuilder.raw('count(*)::int as total'))
      .groupBy('bucket')
      .orderBy('bucket', 'desc'),
  );
};

/** A place in the list; without an id, before all rows of the time. */
type Bound = { time: string; id: string | undefined };

const toBound = (time: string | undefined, id: string | undefined): Bound | undefined =>
  time === undefined ? undefined : { time, id };

/** The times and ids around a bucket. */
const findNeighbours = ({ times, ids }: Bounds, bucket: number) => {
  const index = Math.floor(bucket / PARTS);
  const time = times[index - 1];
  const idsOfTime = time === undefined ? undefined : ids[time];
  const part = bucket % PARTS;
  return { time, nextTime: times[index], id: idsOfTime?.[part - 1], nextId: idsOfTime?.[part] };
};

const lowerBound = (bounds: Bounds, { bucket }: Bucket): Bound | undefined => {
  const { time, id } = findNeighbours(bounds, bucket);
  return toBound(time, id);
};

const upperBound = (bounds: Bounds, { bucket }: Bucket): Bound | undefined => {
  const { time, nextTime, nextId } = findNeighbours(bounds, bucket);
  return nextId === undefined ? toBound(nextTime, undefined) : toBound(time, nextId);
};

/** The part of the list that contains the page: its bounds, its matches, and how many are newer. */
type Range = { from: Bound | undefined; until: Bound | undefined; rows: number; newerRows: number };

const toRange = (buckets: readonly Bucket[], bounds: Bounds, { limit, offset }: Slice): Range => {
  let end = 0;
  const ended = buckets.map((bucket) => {
    end += bucket.total;
    return { ...bucket, end };
  });
  const first = ended.find((bucket) => bucket.end > offset);
  const last = ended.find((bucket) => bucket.end >= offset + limit);
  const newerRows = first ? first.end - first.total : 0;
  return {
    from: last && lowerBound(bounds, last),
    until: first && upperBound(bounds, first),
    rows: (last?.end ?? end) - newerRows,
    newerRows,
  };
};

const whereInRange = (
  list: List,
  matches: Knex.QueryBuilder,
  { from, until }: Pick<Range, 'from' | 'until'>,
): Knex.QueryBuilder => {
  const [createdAt, id] = [keysOf(list).createdAt, keysOf(list).id].map(
    (column) => `${list.keys ? 'k' : list.alias}.${column}`,
  );
  const limit = ({ time, id: boundId }: Bound, operator: '>=' | '<') =>
    boundId === undefined
      ? matches.whereRaw(`${createdAt} ${operator} ?`, [time])
      : matches.whereRaw(`(${createdAt}, ${id}) ${operator} (?, ?)`, [time, boundId]);
  if (from) limit(from, '>=');
  if (until) limit(until, '<');
  return matches;
};

/**
 * A page of a search, which no index has in list order. Matches may be few or many, and anywhere in the list; a scan in list
 * order until the page is full may read a million rows. The total requires all matches in any case: counting them by time
 * tells between which times the page is, and only these rows are read again.
 */
export const fetchMatchingPage = async <Row>(
  database: Database,
  list: List,
  filter: SearchFilter,
  page: Page,
): Promise<Paged<Row>> => {
  const sample = await fetchSample(database, list, filter);
  const slice = { limit: page.perPage, offset: toOffset(page) };
  const way = chooseWay(filter.search, sample);
  if (way === 'find') return fetchPageOf(database, list, selectMatches(list, filter, way), slice);
  const buckets = await countByBucket(database, selectMatches(list, filter, way), sample);
  const total = buckets.reduce((sum, bucket) => sum + bucket.total, 0);
  if (slice.offset >= total) return { rows: [], total };
  const { newerRows, ...range } = toRange(buckets, sample, slice);
  const inRange = whereInRange(list, selectMatches(list, filter, 'check'), range);
  const rows = await fetchSlice<Row>(database, list, inRange, {
    limit: slice.limit,
    offset: slice.offset - newerRows,
    total: range.rows,
  });
  return { rows, total };
};
