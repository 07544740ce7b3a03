import { badRequest, forbidden, notFound } from '@platform/shared/errors/app-error';
import type { Language } from '@platform/shared/http/language';
import type { SignInMethod } from '@platform/shared/platform/access/caller';
import type { PlatformRole } from '@platform/shared/platform/access/platform-role';
import { isSecondStepDue } from '@platform/shared/platform/access/second-step';
import type { LockedAccount } from '@platform/shared/platform/accounts/account';
import type { Profile } from '@platform/shared/platform/profile';
import type { PageQuery } from '../lists/lists.ts';
import type { Project } from '../projects/project.ts';

type Role = 'CUSTOMER' | 'EMPLOYEE' | 'ADMIN' | 'OPERATOR' | 'ARBITER';

export type User = {
  id: string;
  /** Null if the user was deleted, so that no search finds the user by an address. */
  email: string | null;
  /** The name in the profile of the customer, or else of the employee. */
  name: string | null;
  /** The last sign-in with an account of any kind; null before the first one. */
  lastSignInAt: Date | null;
  isBlocked: boolean;
  /** Null if the user is not blocked, or the audit log no longer has the block. */
  blockedAt: Date | null;
  isEmailVerified: boolean;
  roles: Role[];
  createdAt: Date;
  updatedAt: Date;
};

/** A user as the list reads it. */
export type ListedUser = User & {
  totp: boolean;
  /** Whether the user has switched the second step on. */
  isSecondStepOn: boolean;
};

/** Who has never signed in comes last. */
export type UserSort = '-createdAt' | 'createdAt' | '-lastSignInAt' | 'lastSignInAt';

/** `q` searches names and addresses, `search` only addresses. */
export type UserQuery = PageQuery & {
  role?: Role | undefined;
  isBlocked?: boolean | undefined;
  isEmailVerified?: boolean | undefined;
  hasPlatformRole?: boolean | undefined;
  createdFrom?: string | undefined;
  createdUntil?: string | undefined;
  sort?: UserSort | undefined;
  q?: string | undefined;
  search?: string | undefined;
};

export type UserProject = Pick<Project, 'id' | 'title' | 'status' | 'category' | 'createdAt'>;

type WithProfiles = { profile: { customer: Profile | null; employee: Profile | null } };

/** A membership of an employee, with the id and name of the team. */
type UserTeam = {
  id: string;
  name: string;
  role: 'ADMINISTRATOR' | 'MEMBER';
  status: 'INVITED' | 'ACTIVE' | 'REMOVED';
};

/** An account at an OpenID Connect provider. */
type UserIdentity = { provider: string; email: string | null; linkedAt: Date; lastUsedAt: Date | null };

/** After many failed attempts from any networks, the secret is accepted only from known devices. */
type UserPause = { secret: 'password' | 'second-factor' | 'email-code'; until: Date };

/** The factors as stored. */
type StoredFactors = {
  totp: boolean;
  passkeys: number;
  recoveryCodesLeft: number;
  /** Whether the user has switched the second step on. */
  isSecondStepOn: boolean;
};

export type UserDetail<Factors = Omit<StoredFactors, 'isSecondStepOn'> & { isRequired: boolean }> = User &
  WithProfiles & {
    language: Language;
    hasPassword: boolean;
    secondFactors: Factors;
    projects: UserProject[];
    teams: UserTeam[];
    identities: UserIdentity[];
    pauses: UserPause[];
  };

export type StoredUserDetail = UserDetail<StoredFactors>;

/** `isRequired`: whether a second step is due. */
export const toUserDetail = (
  { secondFactors: { isSecondStepOn, ...factors }, ...user }: StoredUserDetail,
  requiredFor: readonly PlatformRole[],
): UserDetail => {
  const isRequired = isSecondStepDue(
    { hasTotp: factors.totp, isSecondStepOn, roles: user.roles },
    requiredFor,
  );
  return { ...user, secondFactors: { ...factors, isRequired } };
};

/** `hasSecondStep`: whether a second step is due. */
export const toUserWithSecondStep = (
  { totp: hasTotp, isSecondStepOn, ...user }: ListedUser,
  requiredFor: readonly PlatformRole[],
): User & { hasSecondStep: boolean } => ({
  ...user,
  hasSecondStep: isSecondStepDue({ hasTotp, isSecondStepOn, roles: user.roles }, requiredFor),
});

/** A session that is signed in. */
export type UserSession = {
  id: string;
  ip: string;
  userAgent: string | null;
  methods: SignInMethod[];
  createdAt: Date;
  signedInAt: Date;
  /** Null before the first refresh. */
  refreshedAt: Date | null;
  staysSignedIn: boolean;
};

export const sessionNotFound = () => notFound('SESSION_NOT_FOUND', 'Session not found');

/** A user as returned to other services. A deleted user has no personal data. */
export type UserWithProfiles = Omit<User, 'name' | 'blockedAt' | 'lastSignInAt' | 'updatedAt'> &
  WithProfiles & { language: Language; deletedAt: Date | null };

type Blockable = Pick<LockedAccount, 'isBlocked' | 'roles'>;

/** Checks in this order. @throws AppError 403 USER_IS_ADMIN, 400 USER_ALREADY_BLOCKED */
export const requireBlockable = (user: Blockable): void => {
  if (user.roles.includes('ADMIN')) throw forbidden('USER_IS_ADMIN', 'Cannot block a user with ADMIN role');
  if (user.isBlocked) throw badRequest('USER_ALREADY_BLOCKED', 'The user is already blocked');
};

/** @throws AppError 400 USER_NOT_BLOCKED */
export const requireUnblockable = (user: Blockable): void => {
  if (!user.isBlocked) throw badRequest('USER_NOT_BLOCKED', 'The user is not blocked');
};

/**
 * Users remove their own factors with the password and a factor instead, because a stolen session must not be
 * sufficient. @throws AppError 403
 */
export const requireOtherUser = (user: Pick<LockedAccount, 'id'>, callerId: string): void => {
  if (user.id === callerId)
    throw forbidden('OWN_SECOND_FACTOR', 'Your own second factor cannot be removed here');
};
