import type { Database } from '@platform/shared/db/database';
import { queryBuilder } from '@platform/shared/db/query-builder';
import type { Knex } from 'knex';
import {
  type List,
  type ListFilter,
  type Page,
  type Paged,
  selectKeys,
  selectRows,
  toDefined,
  toOffset,
} from './list.ts';

const fetchTotal = async (database: Database, list: List, { equals }: ListFilter): Promise<number> => {
  const [counted] = await database.execute<{ total: number }>(
    queryBuilder(list.totals)
      .select(queryBuilder.raw('coalesce(sum(total), 0)::int as total'))
      .whereRaw(list.totalsCondition ?? 'true')
      .where(Object.fromEntries(toDefined(equals))),
  );
  return counted?.total ?? 0;
};

/**
 * Some of the `total` rows whose keys are selected, read along an index in list order. Those of the second half are read from
 * the end, which skips fewer rows.
 */
export const fetchSlice = <Row>(
  database: Database,
  list: List,
  keys: Knex.QueryBuilder,
  { limit, offset, total }: { limit: number; offset: number; total: number },
): Promise<Row[]> => {
  const length = Math.min(limit, total - offset);
  const isFromStart = offset <= total / 2;
  const order = isFromStart ? 'desc' : 'asc';
  return database.execute<Row>(
    selectRows(
      list,
      keys
        .orderBy(['page_created_at', 'page_id'].map((column) => ({ column, order })))
        .limit(length)
        .offset(isFromStart ? offset : total - offset - length),
    ),
  );
};

/** A page far from the start: the total determines from which end it is read. */
export const fetchDeepPage = async <Row>(
  database: Database,
  list: List,
  filter: ListFilter,
  page: Page,
): Promise<Paged<Row>> => {
  const total = await fetchTotal(database, list, filter);
  const offset = toOffset(page);
  if (offset >= total) return { rows: [], total };
  const slice = { limit: page.perPage, offset, total };
  return { rows: await fetchSlice<Row>(database, list, selectKeys(list, filter), slice), total };
};
