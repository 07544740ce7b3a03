import type { Secret } from '@platform/shared/config/secrets';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { AuthenticationFeature } from '../authentication/authentication-feature.ts';
import type { Base } from '../infrastructure.ts';
import { createQueueBoardLoader, createQueueDashboard, queueRoutes } from './queue-dashboard-routes.ts';
import { createQueueSession } from './queue-session-adapter.ts';

type Config = { accessSecret: Secret; queueRedisUrl: string | undefined };

export const createQueuesFeature = (
  { config, log, stores }: Base<{ audit: AuditLog }, Config>,
  { authentication }: { authentication: AuthenticationFeature },
) => {
  const session = createQueueSession(config.accessSecret);
  const loader = createQueueBoardLoader(config.queueRedisUrl, log);
  return {
    dashboard: createQueueDashboard({ ...authentication, ...session, auditLog: stores.audit, loader }),
    close: loader.close,
    routes: queueRoutes({ ...session, isConfigured: loader.load !== undefined }),
  };
};
