import type { components } from '@platform/openapi/types/admin';
import { toPage, toPageBody } from '../lists/pagination.ts';
import type { AdminOperations } from '../security.ts';
import type { AuditEntry, AuditFilter, AuditLogStore } from './audit-log-store.ts';

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

export const auditLogRoutes = ({ list }: AuditLogStore): Pick<AdminOperations, 'listAuditLog'> => ({
  listAuditLog: async ({ query }) => {
    const page = toPage(query);
    return { status: 200, body: toPageBody(await list(toFilter(query), page), page, toEntryBody) };
  },
});
