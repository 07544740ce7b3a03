import type { components } from '@platform/openapi/types/admin';
import { toEnvelope } from '../lists/pagination.ts';
import type { AdminOperations } from '../operations.ts';
import type { AuditLogService } from './audit-log-service.ts';
import type { AuditEntry, AuditFilter } from './audit-log-store.ts';

type Query = Parameters<AdminOperations['listAuditLog']>[0]['query'];

const toFilter = ({ actorId, action, targetId, from, until }: Query): AuditFilter => ({
  ...(actorId && { actorId }),
  ...(action && { action }),
  ...(targetId && { targetId }),
  ...(from && { from: new Date(from) }),
  ...(until && { until: new Date(until) }),
});

const toEntryBody = (entry: AuditEntry): components['schemas']['AuditEntry'] => ({
  ...entry,
  createdAt: entry.createdAt.toISOString(),
});

export const auditLogRoutes = (auditLog: AuditLogService): Pick<AdminOperations, 'listAuditLog'> => ({
  listAuditLog: async ({ query }) => {
    const page = { page: query.page ?? 1, perPage: query.perPage ?? 10 };
    return { status: 200, body: toEnvelope(await auditLog.list(toFilter(query), page), page, toEntryBody) };
  },
});
