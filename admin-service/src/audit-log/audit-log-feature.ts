import type { ListsFeature } from '../lists/lists-feature.ts';
import { auditLogRoutes } from './audit-log-routes.ts';
import { createAuditLogStore } from './audit-log-store.ts';

export const createAuditLogFeature = ({ lists }: { lists: ListsFeature }) => ({
  routes: auditLogRoutes(createAuditLogStore(lists.read)),
});
