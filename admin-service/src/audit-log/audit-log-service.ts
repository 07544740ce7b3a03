import type { Page, Paged } from '../lists/pagination.ts';
import type { AuditEntry, AuditFilter, AuditLogStore } from './audit-log-store.ts';

export const createAuditLogService = (entries: AuditLogStore) => ({
  list: (filter: AuditFilter, page: Page): Promise<Paged<AuditEntry>> => entries.list(filter, page),
});

export type AuditLogService = ReturnType<typeof createAuditLogService>;
