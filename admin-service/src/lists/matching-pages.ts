import type { Database } from '@platform/shared/db/database';
import { queryBuilder } from '@platform/shared/db/query-builder';
import type { Knex } from 'knex';
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
import { checkText, findText, isExactByIndex } from './substring-search.ts';

const SAMPLED_BLOCKS = 100;
/** Above this share of the sample, reading the text of each row is faster than finding the rows by an index. */
const COMMON = { share: 0.1, matches: 10 };

type Sample = { rows: number; matches: number; bounds: string[] | null };

// Each hundredth of the rows is a bucket, and each time that many rows may share, for example after an import.
const SAMPLE_COLUMNS = `
  count(*)::int as rows, (count(*) filter (where is_match))::int as matches,
  (select array_agg(distinct bound order by bound)::text[] from unnest(
    percentile_disc(array(select share / 100.0 from generate_series(1, 99) share)) within group (order by created_at)
  ) time, lateral (values (time), (time + interval '1 microsecond')) bounds (bound)) as bounds`;

/** A share of the blocks. pg_partition_tree() is empty for a table without partitions. */
const SAMPLED = `?? as ?? tablesample system ((
  select least(100, 100.0 * ${SAMPLED_BLOCKS} * current_setting('block_size')::int
    / greatest(1, coalesce(sum(pg_relation_size(relid)), pg_relation_size(?))))
  from pg_partition_tree(?)
))`;

/** A look at some rows: statistics of the planner may be missing or outdated, and do not cover texts. */
const fetchSample = async (database: Database, list: List, { search }: ListFilter): Promise<Sample> => {
  const { table, alias, condition = 'true' } = list;
  const rows = queryBuilder(queryBuilder.raw(SAMPLED, [table, alias, table, table]))
    .select(
      'created_at',
      queryBuilder.raw('? as is_match', [search ? checkText(search) : queryBuilder.raw('true')]),
    )
    .whereRaw(condition);
  const [sample] = await database.execute<Sample>(
    queryBuilder(rows.as('sampled')).select(queryBuilder.raw(SAMPLE_COLUMNS)),
  );
  return sample ?? { rows: 0, matches: 0, bounds: null };
};

/** The keys of the rows that the filter selects: found by an index of the text, or each row checked. */
const selectMatches = (list: List, filter: ListFilter, way: 'find' | 'check'): Knex.QueryBuilder => {
  const { table, alias, keys, condition = 'true' } = list;
  const { id, createdAt, ...ordered } = keysOf(list);
  const { search, where } = filter;
  const prefix = keys ? 'k' : alias;
  const equals = toDefined(filter.equals).map(([column, value]) => [`${prefix}.${column}`, value]);
  const rows = queryBuilder(`${ordered.table} as ${prefix}`)
    .select({ page_id: `${prefix}.${id}`, page_created_at: `${prefix}.${createdAt}` })
    .whereRaw(condition)
    .where(Object.fromEntries(equals));
  if (keys && way === 'find') rows.join(`${table} as ${alias}`, `${alias}.id`, `k.${id}`);
  if (search) rows.whereRaw(way === 'find' ? findText(search) : checkText(search, ordered.searched));
  return where ? where(rows) : rows;
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

/** Rows per bucket of created_at: bucket n is from bound n, which counts from 1, until the next. */
type Bucket = { bucket: number; total: number };

/**
 * The subquery hides from the planner how many times there are: for as many buckets it would sort the rows on one processor,
 * instead of counting them on several. Its offset is a constant from the start, because a subquery with a limit is not parallel.
 */
const countByBucket = (database: Database, matches: Knex.QueryBuilder, bounds: string[]) => {
  const bucketed = queryBuilder(matches.as('matches')).select(
    queryBuilder.raw('width_bucket(page_created_at, ?::timestamptz[]) as bucket', [bounds]),
  );
  return database.execute<Bucket>(
    queryBuilder(queryBuilder.raw("(? offset bigint '0') as bucketed", [bucketed]))
      .select('bucket', queryBuilder.raw('count(*)::int as total'))
      .groupBy('bucket')
      .orderBy('bucket', 'desc'),
  );
};

type Range = { from: string | undefined; until: string | undefined; newerRows: number };

/** The times that the rows of the page have. */
const toRange = (buckets: readonly Bucket[], bounds: readonly string[], { limit, offset }: Slice): Range => {
  let end = 0;
  const ended = buckets.map(({ bucket, total }) => {
    end += total;
    return { bucket, total, end };
  });
  const first = ended.find((bucket) => bucket.end > offset);
  const last = ended.find((bucket) => bucket.end >= offset + limit);
  return {
    from: last && bounds[last.bucket - 1],
    until: first && bounds[first.bucket],
    newerRows: first ? first.end - first.total : 0,
  };
};

const whereInRange = (list: List, matches: Knex.QueryBuilder, { from, until }: Range): Knex.QueryBuilder => {
  const createdAt = `${list.keys ? 'k' : list.alias}.${keysOf(list).createdAt}`;
  if (from !== undefined) matches.where(createdAt, '>=', from);
  if (until !== undefined) matches.where(createdAt, '<', until);
  return matches;
};

/**
 * A page of conditions without an index in list order. Matches may be few or many, and anywhere in the list; a scan in list
 * order until the page is full may read a million rows. The total requires all matches in any case: counting them by time
 * tells between which times the page is, and only these rows are sorted.
 */
export const fetchMatchingPage = async <Row>(
  database: Database,
  list: List,
  filter: ListFilter,
  page: Page,
): Promise<Paged<Row>> => {
  const { search } = filter;
  const sample = await fetchSample(database, list, filter);
  const slice = { limit: page.perPage, offset: toOffset(page) };
  const isCommon = sample.matches >= Math.max(COMMON.matches, sample.rows * COMMON.share);
  if (search && !isCommon) return fetchPageOf(database, list, selectMatches(list, filter, 'find'), slice);
  const bounds = sample.bounds ?? [];
  const counted = selectMatches(list, filter, search && isExactByIndex(search) ? 'find' : 'check');
  const buckets = await countByBucket(database, counted, bounds);
  const total = buckets.reduce((sum, bucket) => sum + bucket.total, 0);
  if (slice.offset >= total) return { rows: [], total };
  const range = toRange(buckets, bounds, slice);
  const { rows } = await fetchPageOf<Row>(
    database,
    list,
    whereInRange(list, selectMatches(list, filter, 'check'), range),
    {
      ...slice,
      offset: slice.offset - range.newerRows,
    },
  );
  return { rows, total };
};
