import type { AdminOperations, InternalOperations } from '../authentication/operations.ts';
import { toDistinctIds } from '../lists/distinct-ids.ts';
import { type FetchPage, toPageBody } from '../lists/lists.ts';
import type { User } from './user.ts';
import type { UserService } from './users-service.ts';
import { USERS, USERS_WITH_ROLE, type UserStore } from './users-store.ts';

type Names =
  | 'listUsers'
  | 'getUser'
  | 'blockUser'
  | 'unblockUser'
  | 'endSessionsOfUser'
  | 'removeSecondFactor'
  | 'removePlatformRole';

const withShownEmail = <Row extends User>(user: Row) => ({ ...user, email: user.email ?? 'deleted' });

type Dependencies = { users: UserService; fetchPage: FetchPage };

export const userRoutes = ({ users, fetchPage }: Dependencies): Pick<AdminOperations, Names> => ({
  listUsers: async ({ query }) => {
    const found = await fetchPage<User>(query.role === undefined ? USERS : USERS_WITH_ROLE, query);
    return { status: 200, body: toPageBody(found, withShownEmail) };
  },

  getUser: async ({ path }) => ({ status: 200, body: withShownEmail(await users.getDetail(path.id)) }),

  blockUser: async ({ path, caller, context }) => {
    await users.blockUser(path.id, caller, context);
    return { status: 200, body: { message: 'User has been blocked' } };
  },

  unblockUser: async ({ path, caller, context }) => {
    await users.unblockUser(path.id, caller, context);
    return { status: 200, body: { message: 'User has been unblocked' } };
  },

  endSessionsOfUser: async ({ path, caller, context }) => {
    await users.endSessions(path.id, caller, context);
    return { status: 204 };
  },

  removeSecondFactor: async ({ path, caller, context }) => {
    await users.removeSecondFactor(path.id, caller, context);
    return { status: 204 };
  },

  removePlatformRole: async ({ path, query: { erase = false }, caller, context }) => {
    await users.removePlatformRole(path.id, { actorId: caller.account.userId, erase, context });
    return { status: 204 };
  },
});

/** Operations for other services. */
export const usersByIdRoutes = ({
  listByIds,
}: Pick<UserStore, 'listByIds'>): Pick<InternalOperations, 'listUsersById'> => ({
  listUsersById: async ({ query }) => ({
    status: 200,
    body: { data: await listByIds(toDistinctIds(query.id)) },
  }),
});
