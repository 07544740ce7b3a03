import { createErrorLog } from '@platform/shared/log/repeated-errors';
import type { PlatformRole } from '@platform/shared/platform/access/platform-role';
import type { Base } from '../infrastructure.ts';
import type { PendingChangeAdapter } from './pending-change-adapter.ts';
import { createUserAccessService, type UserAccessStores } from './user-access-service.ts';
import { createUserDataService, type UserDataLists, type UserDataStores } from './user-data-service.ts';
import { userAccessRoutes, userDataRoutes } from './user-help-routes.ts';
import { internalUserRoutes, userRoutes } from './users-routes.ts';
import { createUserService, type UserLists, type UserStores } from './users-service.ts';

type Config = {
  adminAllowedDomains: readonly string[];
  secondFactorRequiredFor: readonly PlatformRole[];
  redisUrl: string | undefined;
};

/** The first deletion loads the Redis client and connects, because few processes need it. */
export const createUsersFeature = (
  base: Base<UserStores & UserAccessStores & UserDataStores, Config, UserLists & UserDataLists>,
) => {
  const { redisUrl } = base.config;
  const onError = createErrorLog(base.log, 'redis connection lost');
  let pendingChanges: Promise<PendingChangeAdapter> | undefined;
  const open = async (url: string): Promise<PendingChangeAdapter> => {
    const { createPendingChangeAdapter } = await import('./pending-change-adapter.ts');
    return createPendingChangeAdapter(url, onError);
  };
  const removePendingChange = async (userId: string): Promise<void> => {
    if (redisUrl === undefined) return;
    pendingChanges ??= open(redisUrl);
    await (await pendingChanges).remove(userId);
  };
  const users = createUserService({ ...base, removePendingChange });
  return {
    routes: {
      ...userRoutes(users),
      ...userAccessRoutes(createUserAccessService(base)),
      ...userDataRoutes(createUserDataService(base)),
    },
    internalRoutes: internalUserRoutes(users),
    close: async (): Promise<void> => (await pendingChanges)?.close(),
  };
};
