import type { Base } from '../infrastructure.ts';
import type { ListsFeature } from '../lists/lists-feature.ts';
import { userRoutes, usersByIdRoutes } from './users-routes.ts';
import { createUserService, type UserStores } from './users-service.ts';

export const createUsersFeature = (base: Base<UserStores>, { lists }: { lists: ListsFeature }) => ({
  routes: userRoutes({ ...lists, users: createUserService(base) }),
  internalRoutes: usersByIdRoutes(base.stores.users),
});
