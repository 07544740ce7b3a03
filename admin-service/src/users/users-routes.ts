import type { components } from '@platform/openapi/types/admin';
import { getPlatformRole } from '@platform/shared/platform/access/platform-role';
import { toBy } from '../authentication/callers.ts';
import type { AdminOperations, InternalOperations } from '../authentication/operations.ts';
import { toDistinctIds } from '../lists/distinct-ids.ts';
import { rejectQuery, requireAlone } from '../lists/id-pages.ts';
import { toDate, toPageBody } from '../lists/lists.ts';
import type { UserService } from './users-service.ts';

type Names =
  | 'listUsers'
  | 'currentAdministrator'
  | 'getUser'
  | 'deleteUser'
  | 'listSessionsOfUser'
  | 'endSessionOfUser'
  | 'blockUser'
  | 'unblockUser'
  | 'endSessionsOfUser'
  | 'assignPlatformRole'
  | 'removePlatformRole';

export const userRoutes = (users: UserService): Pick<AdminOperations, Names> => ({
  listUsers: async ({ query: { createdFrom, createdUntil, ...others } }) => {
    const query = { ...others, createdFrom: toDate(createdFrom), createdUntil: toDate(createdUntil) };
    return { status: 200, body: toPageBody(await users.list(query)) };
  },

  // Returns the stored roles, not those in the token.
  currentAdministrator: async ({ caller: { account } }) => ({
    status: 200,
    body: {
      id: account.userId,
      email: account.email,
      name: await users.findName(account.userId),
      platformRole: getPlatformRole(account.roles),
      roles: account.roles as components['schemas']['RoleType'][],
      isBlocked: account.isBlocked,
      isEmailVerified: account.isEmailVerified,
      createdAt: account.createdAt.toISOString(),
      updatedAt: account.updatedAt.toISOString(),
    },
  }),

  getUser: async ({ path }) => ({ status: 200, body: await users.getDetail(path.id) }),

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

  assignPlatformRole: async ({ path, body, caller, context }) => {
    const user = await users.assignPlatformRole(path.id, body.role, toBy(caller, context));
    return { status: 200, body: user };
  },

  removePlatformRole: async ({ path, query: { erase = false }, caller, context }) => {
    await users.removePlatformRole(path.id, erase, toBy(caller, context));
    return { status: 204 };
  },
});

/** Operations for other services. */
export const internalUserRoutes = (users: UserService): Pick<InternalOperations, 'findUsers'> => ({
  findUsers: async ({ query: { id, email } }) => {
    if (id !== undefined) {
      requireAlone('id', { email });
      return { status: 200, body: { data: await users.listByIds(toDistinctIds(id)) } };
    }
    if (email === undefined) throw rejectQuery('id', 'must be given, or `email` instead', 'required');
    return { status: 200, body: { data: await users.listByEmail(email) } };
  },
});
