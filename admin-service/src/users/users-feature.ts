import { createErrorLog } from '@platform/shared/log/repeated-errors';
import type { Base } from '../infrastructure.ts';
import type { PendingChangeAdapter } from './pending-change-adapter.ts';
import { internalUserRoutes, userRoutes } from './users-routes.ts';
import { createUserService, type UserConfig, type UserLists, type UserStores } from './users-service.ts';

type Config = UserConfig & { redisUrl: string | undefined };

/** The first deletion loads the Redis client and connects, because few processes need it. */
export const createUsersFeature = (base: Base<UserStores, Config, UserLists>) => {
  const { redisUrl } = base.config;
  let pendingChanges: Promise<PendingChangeAdapter> | undefined;
  const open = async (url: string): Promise<PendingChangeAdapter> => {
    const { createPendingChangeAdapter } = await import('./pending-change-adapter.ts');
    return createPendingChangeAdapter(url, createErrorLog(base.log, 'redis connection lost'));
  };
  const removePendingChange = async (userId: string): Promise<void> => {
    if (redisUrl === undefined) return;
    pendingChanges ??= open(redisUrl);
    await (await pendingChanges).remove(userId);
  };
  const users = createUserService({ ...base, removePendingChange });
  return {
    routes: userRoutes(users),
    internalRoutes: internalUserRoutes(users),
    close: async (): Promise<void> => {
      (await pendingChanges)?.close();
    },
  };
};
