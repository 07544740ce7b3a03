import type { AuditAction, AuditTargetType } from '@platform/shared/audit/audit-log';
import type { Database } from '@platform/shared/db/database';
import { queryBuilder } from '@platform/shared/db/query-builder';
import type { Knex } from 'knex';
import {
  type CountedList,
  fetchNearPage,
  fetchPage,
  isNear,
  type Page,
  type Paged,
  selectTotal,
} from '../lists/pagination.ts';

const COLUMNS =
  'a.id, a.action, a.actor_id, a.target_type, a.target_id, a.request_id, a.address, a.details, a.created_at';

/** Filtered by action at most; what is filtered by actor, target or time is counted by an index. */
const COUNTED: CountedList = {
  table: 'audit_records',
  as: 'a',
  totals: 'audit_totals',
  columns: COLUMNS,
};

const filterEntries =
  ({ actorId, action, targetId, from, until }: AuditFilter) =>
  (entries: Knex.QueryBuilder): Knex.QueryBuilder => {
    if (actorId) entries.where('a.actor_id', actorId);
    if (action) entries.where('a.action', action);
    if (targetId) entries.where('a.target_id', targetId);
    if (from) entries.where('a.created_at', '>=', from);
    if (until) entries.where('a.created_at', '<', until);
    return entries;
  };

export const createAuditLogStore = (database: Database) => ({
  list: (filter: AuditFilter, page: Page): Promise<Paged<AuditEntry>> => {
    const { action, ...others } = filter;
    const isCounted = Object.keys(others).length === 0;
    if (isCounted && isNear(page)) return fetchNearPage(database, COUNTED, { action }, page);
    const list = {
      table: 'audit_records',
      as: 'a',
      filter: filterEntries(filter),
      total: isCounted ? selectTotal('audit_totals', { action }) : undefined,
      isSorted: isCounted,
      select: (entries: Knex.QueryBuilder) => entries.select(queryBuilder.raw(COLUMNS)),
    };
    return fetchPage(database, list, page);
  },
});

export type AuditLogStore = ReturnType<typeof createAuditLogStore>;

export type AuditEntry = {
  id: string;
  action: AuditAction;
  actorId: string | null;
  targetType: AuditTargetType;
  targetId: string;
  requestId: string;
  address: string;
  details: Record<string, unknown>;
  createdAt: Date;
};

/** `from` is included, `until` is not. */
export type AuditFilter = {
  actorId?: string;
  action?: AuditAction;
  targetId?: string;
  from?: Date;
  until?: Date;
};
