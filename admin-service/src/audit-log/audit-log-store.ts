import type { AuditAction, AuditTargetType } from '@platform/shared/audit/audit-log';
import type { Database } from '@platform/shared/db/database';
import { fetchPage, type List, type ListFilter, type Page, type Paged } from '../lists/pagination.ts';

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

/** `from` is inclusive, `until` is exclusive. */
export type AuditFilter = {
  actorId?: string;
  action?: AuditAction;
  targetId?: string;
  from?: Date;
  until?: Date;
};

const COLUMNS =
  'a.id, a.action, a.actor_id, a.target_type, a.target_id, a.request_id, a.address, a.details, a.created_at';

const AUDIT_RECORDS: List = {
  table: 'audit_records',
  alias: 'a',
  totals: 'audit_totals',
  columns: COLUMNS,
};

/**
 * Triggers keep totals by action. Filters by actor, target or time are counted along an index. A filter by actor or target
 * alone has an index in list order, so that its plan needs no values: planning costs more than execution, in particular
 * with many partitions.
 */
const toListFilter = (filter: AuditFilter): ListFilter => {
  const { action, ...others } = filter;
  const { actorId, targetId, from, until } = others;
  const equals = { action };
  if (Object.keys(others).length === 0) return { equals };
  if (Object.keys(filter).length === 1 && (actorId || targetId))
    return { equals: { actor_id: actorId, target_id: targetId }, isCounted: true };
  return {
    equals,
    where: (records) => {
      if (actorId) records.where('a.actor_id', actorId);
      if (targetId) records.where('a.target_id', targetId);
      if (from) records.where('a.created_at', '>=', from);
      if (until) records.where('a.created_at', '<', until);
      return records;
    },
  };
};

export const createAuditLogStore = (lists: Database) => ({
  list: (filter: AuditFilter, page: Page): Promise<Paged<AuditEntry>> =>
    fetchPage(lists, AUDIT_RECORDS, toListFilter(filter), page),
});

export type AuditLogStore = ReturnType<typeof createAuditLogStore>;
