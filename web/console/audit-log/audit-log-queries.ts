import { read, readPage } from '../read.ts';
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
export const toQuery = (filters: LogFilters) => {
  const { action, from, to, signIns: _signIns, ...ids } = filters;
  return {
    ...ids,
    action: actionsOf(action),
    hideSignIns: hidesSignIns(filters) || undefined,
    ...toRange(from, to),
  };
};

export const auditLog = (filters: LogFilters, cursor: string | undefined) =>
  readPage(['audit-log', 'list', filters, cursor], '/administrator/audit-log', {
    query: { ...toQuery(filters), cursor, perPage: PER_PAGE },
  });

/** The API has no totals, so this many are counted. */
const MOST_COUNTED = 100;

/** The sign-ins that the log leaves out. */
export const leftOutSignIns = (filters: LogFilters) =>
  read(['audit-log', 'left-out', filters], '/administrator/audit-log', {
    query: { ...toQuery({ ...filters, action: 'SIGNED_IN.SIGN_IN_FAILED' }), perPage: MOST_COUNTED },
  });

/** One record, for a link to it. */
export const auditRecord = (id: string) =>
  read(['audit-log', 'record', id], '/administrator/audit-log/{id}', { path: { id } });
