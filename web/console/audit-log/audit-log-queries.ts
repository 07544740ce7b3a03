import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { backOffice } from '../back-office.ts';
import { present } from '../query-fields.ts';
import { actionsOf } from './action-groups.ts';
import { toRange } from './day-range.ts';

/** Repeats are grouped, so a page has fewer rows. */
const PER_PAGE = 50;

export type LogFilters = {
  action?: string;
  userId?: string;
  actorId?: string;
  targetId?: string;
  /** `shown` or `hidden`, if the reader has chosen otherwise than `hidesSignIns` would. */
  signIns?: string;
  /** Days in the reader's time zone, such as 2026-11-24. */
  from?: string;
  to?: string;
};

/**
 * Whether sign-ins are left out. Most records are sign-ins, so they are shown only with a filter by person or thing.
 */
export const hidesSignIns = ({ action, userId, actorId, targetId, signIns }: LogFilters): boolean =>
  action === undefined &&
  (signIns === 'hidden' || (signIns === undefined && (userId ?? actorId ?? targetId) === undefined));

/** Filters may be invalid, because anybody can type an address; the API rejects them. */
const toQuery = (filters: LogFilters) => {
  const { action, userId, actorId, targetId, from, to } = filters;
  return present({
    action: actionsOf(action),
    hideSignIns: hidesSignIns(filters) || undefined,
    userId,
    actorId,
    targetId,
    ...toRange(from, to),
  });
};

export const readLog = (
  filters: LogFilters,
  cursor: string | undefined,
  perPage: number,
  signal?: AbortSignal,
) =>
  backOffice.GET('/administrator/audit-log', {
    params: { query: { ...toQuery(filters), ...present({ cursor }), perPage } },
    ...(signal && { signal }),
  });

export const auditLog = (filters: LogFilters, cursor: string | undefined) =>
  queryOptions({
    queryKey: ['audit-log', 'list', filters, cursor],
    queryFn: ({ signal }) => readLog(filters, cursor, PER_PAGE, signal),
    placeholderData: keepPreviousData,
  });

/** The API has no totals, so this many are counted. */
const MOST_COUNTED = 100;

/** The sign-ins that the log leaves out. */
export const leftOutSignIns = (filters: LogFilters) =>
  queryOptions({
    queryKey: ['audit-log', 'left-out', filters],
    queryFn: ({ signal }) =>
      readLog({ ...filters, action: 'SIGNED_IN.SIGN_IN_FAILED' }, undefined, MOST_COUNTED, signal),
  });

/** One record, for a link to it. */
export const auditRecord = (id: string) =>
  queryOptions({
    queryKey: ['audit-log', 'record', id],
    queryFn: ({ signal }) =>
      backOffice.GET('/administrator/audit-log/{id}', { params: { path: { id } }, signal }),
  });
