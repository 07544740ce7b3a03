import type { Page, Paged } from '../page.ts';
import type { AuditEntry, AuditFilter } from './audit-entry.ts';
import type { AuditLogStore } from './audit-log-store.ts';

export const createAuditLogService = (entries: AuditLogStore) => ({
  list: (filter: AuditFilter, page: Page): Promise<Paged<AuditEntry>> => entries.list(filter, page),
});

export type AuditLogService = ReturnType<typeof createAuditLogService>;
