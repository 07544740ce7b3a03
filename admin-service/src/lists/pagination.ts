import type { Database } from '@platform/shared/db/database';
import { fetchDeepPage } from './deep-pages.ts';
import { fetchFirstPage, MAX_PER_PAGE } from './first-pages.ts';
import {
  type DayTotals,
  type List,
  type ListFilter,
  type Page,
  type Paged,
  toDefined,
  toOffset,
} from './list.ts';
import { fetchMatchingPage } from './matching-pages.ts';
import { fetchPageByDay } from './pages-by-day.ts';

export type { List, ListFilter, Page, Paged } from './list.ts';

type PageQuery = { page?: number | undefined; perPage?: number | undefined };

export const toPage = ({ page = 1, perPage = 10 }: PageQuery): Page => ({ page, perPage });

export const toPageBody = <Row, Body>(
  { rows, total }: Paged<Row>,
  { page, perPage }: Page,
  toBody: (row: Row) => Body,
) => ({ data: rows.map(toBody), total, page, perPage });

/** Beyond this offset, reading from the end may be faster, which depends on the total. */
const MAX_PREPARED_OFFSET = 1_000;

/** Whether the table of totals lacks what the filter selects. */
const needsDayTotals = ({ onlyByDay }: DayTotals, { equals, from, until }: ListFilter): boolean =>
  from !== undefined ||
  until !== undefined ||
  toDefined(equals).some(([column]) => onlyByDay.includes(column));

/** A page, newest first, and the exact total. */
export const fetchPage = <Row>(
  database: Database,
  list: List,
  filter: ListFilter,
  page: Page,
): Promise<Paged<Row>> => {
  const { search } = filter;
  const { dayTotals } = list;
  if (search) return fetchMatchingPage(database, list, { ...filter, search }, page);
  const isNearStart = toOffset(page) < MAX_PREPARED_OFFSET && page.perPage <= MAX_PER_PAGE;
  if (dayTotals && (needsDayTotals(dayTotals, filter) || !isNearStart))
    return fetchPageByDay(database, list, dayTotals, filter, page);
  return isNearStart
    ? fetchFirstPage(database, list, filter, page)
    : fetchDeepPage(database, list, filter, page);
};
