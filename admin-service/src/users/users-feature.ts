import type { Base } from '../infrastructure.ts';
import type { ListsFeature } from '../lists/lists-feature.ts';
import { userRoutes, usersByIdRoutes } from './users-routes.ts';
import { createUserService, type UserStores } from './users-service.ts';

type Config = { adminAllowedDomains: readonly string[] };

export const createUsersFeature = (base: Base<UserStores, Config>, { lists }: { lists: ListsFeature }) => ({
  routes: userRoutes({ ...lists, users: createUserService(base) }),
  internalRoutes: usersByIdRoutes(base.stores.users),
});
