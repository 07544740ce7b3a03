import { toBy } from '../authentication/callers.ts';
import type { AdminOperations, InternalOperations } from '../authentication/operations.ts';
import { toDistinctIds } from '../lists/distinct-ids.ts';
import { rejectQuery, requireAlone } from '../lists/id-pages.ts';
import { type FetchPage, type ListQuery, toPageBody, toPattern } from '../lists/lists.ts';
import type { User } from './user.ts';
import type { UserService } from './users-service.ts';
import {
  USERS,
  USERS_BY_NAME,
  USERS_WITH_ROLE,
  USERS_WITH_ROLE_BY_NAME,
  type UserStore,
} from './users-store.ts';

type Names =
  | 'listUsers'
  | 'getUser'
  | 'deleteUser'
  | 'listSessionsOfUser'
  | 'endSessionOfUser'
  | 'blockUser'
  | 'unblockUser'
  | 'endSessionsOfUser'
  | 'removeSecondFactor'
  | 'assignPlatformRole'
  | 'removePlatformRole';

const withShownEmail = <Row extends User>(user: Row) => ({ ...user, email: user.email ?? 'deleted' });

/** A search by name finds addresses, too. If both are given, the address is another condition. */
const toListAndQuery = ({ q, search, ...filters }: ListQuery & { q?: string | undefined }) => {
  const hasRole = filters['role'] !== undefined;
  const name = q?.trim();
  if (!name) return { list: hasRole ? USERS_WITH_ROLE : USERS, listQuery: { ...filters, search } };
  const email = search?.trim();
  const emailPattern = email ? toPattern(email) : undefined;
  return {
    list: hasRole ? USERS_WITH_ROLE_BY_NAME : USERS_BY_NAME,
    listQuery: { ...filters, search: name, emailPattern },
  };
};

type Dependencies = { users: UserService; fetchPage: FetchPage };

export const userRoutes = ({ users, fetchPage }: Dependencies): Pick<AdminOperations, Names> => ({
  listUsers: async ({ query }) => {
    const { list, listQuery } = toListAndQuery(query);
    const found = await fetchPage<User>(list, listQuery);
    return { status: 200, body: toPageBody(found, withShownEmail) };
  },

  getUser: async ({ path }) => ({ status: 200, body: withShownEmail(await users.getDetail(path.id)) }),

  deleteUser: async ({ path, caller, context }) => {
    await users.deleteUser(path.id, toBy(caller, context));
    return { status: 204 };
  },

  blockUser: async ({ path, caller, context }) => {
    await users.blockUser(path.id, toBy(caller, context));
    return { status: 200, body: { message: 'User has been blocked' } };
  },

  unblockUser: async ({ path, caller, context }) => {
    await users.unblockUser(path.id, toBy(caller, context));
    return { status: 200, body: { message: 'User has been unblocked' } };
  },

  listSessionsOfUser: async ({ path }) => ({
    status: 200,
    body: { data: await users.listSessions(path.id) },
  }),

  endSessionOfUser: async ({ path, caller, context }) => {
    await users.endSession(path.id, path.sessionId, toBy(caller, context));
    return { status: 204 };
  },

  endSessionsOfUser: async ({ path, caller, context }) => {
    await users.endSessions(path.id, toBy(caller, context));
    return { status: 204 };
  },

  removeSecondFactor: async ({ path, caller, context }) => {
    await users.removeSecondFactor(path.id, toBy(caller, context));
    return { status: 204 };
  },

  assignPlatformRole: async ({ path, body, caller, context }) => {
    const user = await users.assignPlatformRole(path.id, body.role, toBy(caller, context));
    return { status: 200, body: withShownEmail(user) };
  },

  removePlatformRole: async ({ path, query: { erase = false }, caller, context }) => {
    await users.removePlatformRole(path.id, erase, toBy(caller, context));
    return { status: 204 };
  },
});

/** Operations for other services. */
export const usersByIdRoutes = ({
  listByIds,
  listByEmail,
}: Pick<UserStore, 'listByIds' | 'listByEmail'>): Pick<InternalOperations, 'findUsers'> => ({
  findUsers: async ({ query: { id, email } }) => {
    if (id !== undefined) {
      requireAlone('id', { email });
      return { status: 200, body: { data: await listByIds(toDistinctIds(id)) } };
    }
    if (email === undefined) throw rejectQuery('id', 'must be given, or `email` instead', 'required');
    return { status: 200, body: { data: await listByEmail(email) } };
  },
});
