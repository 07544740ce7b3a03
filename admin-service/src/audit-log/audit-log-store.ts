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
  dayTotals: {
    table: 'audit_day_totals',
    columns: ['target_id', 'actor_id', 'action'],
    onlyByDay: ['target_id', 'actor_id'],
  },
};

const toListFilter = ({ actorId, action, targetId, from, until }: AuditFilter): ListFilter => ({
  equals: { actor_id: actorId, action, target_id: targetId },
  from,
  until,
});

export const createAuditLogStore = (lists: Database) => ({
  list: (filter: AuditFilter, page: Page): Promise<Paged<AuditEntry>> =>
    fetchPage(lists, AUDIT_RECORDS, toListFilter(filter), page),
});

export type AuditLogStore = ReturnType<typeof createAuditLogStore>;
