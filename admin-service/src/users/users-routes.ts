import type { components } from '@platform/openapi/types/admin';
import { type FetchPage, toPageBody } from '../lists/lists.ts';
import type { AdminOperations } from '../security.ts';
import { type Profile, toShownEmail, type User, type UserDetail } from './user.ts';
import type { UserService } from './users-service.ts';
import { USERS, USERS_WITH_ROLE } from './users-store.ts';

type Schemas = components['schemas'];
type Names =
  | 'listUsers'
  | 'getUser'
  | 'blockUser'
  | 'unblockUser'
  | 'removeSecondFactor'
  | 'removePlatformRole';

const toUserBody = (user: User): Schemas['AdminUserResponseDto'] => ({
  id: user.id,
  email: toShownEmail(user.email),
  isBlocked: user.isBlocked,
  isEmailVerified: user.isEmailVerified,
  roles: user.roles,
  createdAt: user.createdAt.toISOString(),
  updatedAt: user.updatedAt.toISOString(),
});

const toProfileBody = (profile: Profile | null): Schemas['ProfileOrNone'] =>
  profile && {
    ...profile,
    createdAt: profile.createdAt.toISOString(),
    updatedAt: profile.updatedAt.toISOString(),
  };

const toDetailBody = (user: UserDetail): Schemas['AdminUserDetailResponseDto'] => ({
  ...toUserBody(user),
  profile: {
    customer: toProfileBody(user.profile.customer),
    employee: toProfileBody(user.profile.employee),
  },
  projects: user.projects.map((project) => ({
    ...project,
    status: project.status as Schemas['ProjectStatus'],
    category: project.category as Schemas['ProjectCategoryType'],
    createdAt: project.createdAt.toISOString(),
  })),
});

type Dependencies = { users: UserService; fetchPage: FetchPage };

export const userRoutes = ({ users, fetchPage }: Dependencies): Pick<AdminOperations, Names> => ({
  listUsers: async ({ query }) => {
    const isByRole = query.role !== undefined && !query.search?.trim();
    const found = await fetchPage<User>(isByRole ? USERS_WITH_ROLE : USERS, query);
    return { status: 200, body: toPageBody(found, toUserBody) };
  },

  getUser: async ({ path }) => ({ status: 200, body: toDetailBody(await users.getDetail(path.id)) }),

  blockUser: async ({ path, caller, context }) => {
    await users.blockUser(path.id, caller, context);
    return { status: 200, body: { message: 'User has been blocked' } };
  },

  unblockUser: async ({ path, caller, context }) => {
    await users.unblockUser(path.id, caller, context);
    return { status: 200, body: { message: 'User has been unblocked' } };
  },

  removeSecondFactor: async ({ path, caller, context }) => {
    await users.removeSecondFactor(path.id, caller, context);
    return { status: 204 };
  },

  removePlatformRole: async ({ path, caller, context }) => {
    await users.removePlatformRole(path.id, caller.account.userId, context);
    return { status: 204 };
  },
});
