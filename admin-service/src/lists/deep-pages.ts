import type { Database } from '@platform/shared/db/database';
import { queryBuilder } from '@platform/shared/db/query-builder';
import {
  keysOf,
  type List,
  type ListFilter,
  type Page,
  type Paged,
  selectKeys,
  selectRows,
  toDefined,
  toOffset,
} from './list.ts';

const fetchTotal = async (database: Database, list: List, filter: ListFilter): Promise<number> => {
  const rows = filter.isCounted
    ? queryBuilder(selectKeys(list, filter).as('counted')).select(queryBuilder.raw('count(*)::int as total'))
    : queryBuilder(list.totals)
        .select(queryBuilder.raw('coalesce(sum(total), 0)::int as total'))
        .whereRaw(list.totalsCondition ?? 'true')
        .where(Object.fromEntries(toDefined(filter.equals)));
  const [counted] = await database.execute<{ total: number }>(rows);
  return counted?.total ?? 0;
};

type Slice = { limit: number; offset: number; direction: 'asc' | 'desc' };

/** Pages of the second half are read from the end of the list, which skips fewer rows. */
const toSlice = (page: Page, total: number): Slice => {
  const offset = toOffset(page);
  const limit = Math.min(page.perPage, total - offset);
  return offset <= total / 2
    ? { limit, offset, direction: 'desc' }
    : { limit, offset: total - offset - limit, direction: 'asc' };
};

/** A page far from the start: the total determines from which end it is read. */
export const fetchDeepPage = async <Row>(
  database: Database,
  list: List,
  filter: ListFilter,
  page: Page,
): Promise<Paged<Row>> => {
  const total = await fetchTotal(database, list, filter);
  if (toOffset(page) >= total) return { rows: [], total };
  const { limit, offset, direction } = toSlice(page, total);
  const { createdAt, id } = keysOf(list);
  const keys = selectKeys(list, filter)
    .orderBy([createdAt, id].map((column) => ({ column, order: direction })))
    .limit(limit)
    .offset(offset);
  return { rows: await database.execute<Row>(selectRows(list, keys)), total };
};
