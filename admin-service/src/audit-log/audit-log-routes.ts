import type { AdminOperations } from '../authentication/operations.ts';
import { toDate } from '../lists/lists.ts';
import type { AuditLogService } from './audit-log-service.ts';

export const auditLogRoutes = (
  auditLog: AuditLogService,
): Pick<AdminOperations, 'listAuditLog' | 'getAuditRecord'> => ({
  listAuditLog: async ({ query: { from, until, ...others } }) => ({
    status: 200,
    body: await auditLog.list({ ...others, from: toDate(from), until: toDate(until) }),
  }),

  getAuditRecord: async ({ path }) => ({ status: 200, body: await auditLog.find(path.id) }),
});
