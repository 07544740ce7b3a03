import { badRequest, conflict, forbidden, notFound } from '@platform/shared/errors/app-error';
import type { Language } from '@platform/shared/http/language';
import type { Profile } from '@platform/shared/platform/profile';
import type { Project } from '../projects/project.ts';

type Role = 'CUSTOMER' | 'EMPLOYEE' | 'ADMIN' | 'OPERATOR' | 'ARBITER';

export type User = {
  id: string;
  /** Null if the user was deleted, so that no search finds the user by an address. */
  email: string | null;
  isBlocked: boolean;
  isEmailVerified: boolean;
  roles: Role[];
  createdAt: Date;
  updatedAt: Date;
};

export type UserProject = Pick<Project, 'id' | 'title' | 'status' | 'category' | 'createdAt'>;

type WithProfiles = { profile: { customer: Profile | null; employee: Profile | null } };

export type UserDetail = User &
  WithProfiles & {
    projects: UserProject[];
  };

/** A user as returned to other services. A deleted user has no personal data. */
export type UserWithProfiles = Omit<User, 'updatedAt'> &
  WithProfiles & { language: Language; deletedAt: Date | null };

/** A user who is not deleted and is locked by a transaction. */
export type LockedUser = {
  id: string;
  email: string;
  isEmailVerified: boolean;
  isBlocked: boolean;
  language: Language;
  roles: string[];
};

type Blockable = Pick<LockedUser, 'isBlocked' | 'roles'>;

export const platformRoleNotFound = () =>
  notFound('PLATFORM_ROLE_NOT_FOUND', 'The user holds no platform role');
export const lastAdministrator = () =>
  conflict('LAST_ADMINISTRATOR', 'The user is the only ADMIN; register another one first');
export const otherRoles = () => conflict('OTHER_ROLES', 'The user is also a customer or an employee');
export const userNotFound = () => notFound('USER_NOT_FOUND', 'User not found');

/** Checks in this order. @throws AppError 404, 403 USER_IS_ADMIN, 400 USER_ALREADY_BLOCKED */
export const requireBlockable = (user: Blockable | undefined): void => {
  if (!user) throw userNotFound();
  if (user.roles.includes('ADMIN')) throw forbidden('USER_IS_ADMIN', 'Cannot block a user with ADMIN role');
  if (user.isBlocked) throw badRequest('USER_ALREADY_BLOCKED', 'The user is already blocked');
};

/** @throws AppError 404, 400 USER_NOT_BLOCKED */
export const requireUnblockable = (user: Blockable | undefined): void => {
  if (!user) throw userNotFound();
  if (!user.isBlocked) throw badRequest('USER_NOT_BLOCKED', 'The user is not blocked');
};

/**
 * Users remove their own factors with the password and a factor instead, because a stolen session must not be
 * sufficient. @throws AppError 404, 403
 */
export const requireOtherUser: (
  user: LockedUser | undefined,
  callerId: string,
) => asserts user is LockedUser = (user, callerId) => {
  if (!user) throw userNotFound();
  if (user.id === callerId)
    throw forbidden('OWN_SECOND_FACTOR', 'Your own second factor cannot be removed here');
};
