import type { InternalOperations } from '../security.ts';
import type { UserWithProfiles } from './user.ts';

type Users = { listByIds: (ids: readonly string[]) => Promise<UserWithProfiles[]> };

/** Operations for other services. */
export const usersByIdRoutes = (users: Users): Pick<InternalOperations, 'listUsersById'> => ({
  listUsersById: async ({ query }) => ({ status: 200, body: { data: await users.listByIds(query.id) } }),
});
