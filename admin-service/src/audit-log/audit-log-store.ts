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
const toListFilter = ({ actorId, action, targetId, from, until }: AuditFilter): ListFilter => {
  const equals = { actor_id: actorId, action, target_id: targetId };
  const count = Object.values(equals).filter((value) => value !== undefined).length;
  const isTimed = from !== undefined || until !== undefined;
  return {
    equals,
    isCounted: isTimed || (count > 0 && action === undefined),
    // An index is in list order for one value only.
    isScattered: count > 1,
    where: isTimed
      ? (records) => {
          if (from) records.where('created_at', '>=', from);
          if (until) records.where('created_at', '<', until);
          return records;
        }
      : undefined,
  };
};

export const createAuditLogStore = (lists: Database) => ({
  list: (filter: AuditFilter, page: Page): Promise<Paged<AuditEntry>> =>
    fetchPage(lists, AUDIT_RECORDS, toListFilter(filter), page),
});

export type AuditLogStore = ReturnType<typeof createAuditLogStore>;
