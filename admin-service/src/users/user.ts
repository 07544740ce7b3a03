import { badRequest, forbidden, notFound } from '@platform/shared/errors/app-error';
import type { Language } from '@platform/shared/http/language';
import type { SignInMethod } from '@platform/shared/platform/access/caller';
import type { PlatformRole } from '@platform/shared/platform/access/platform-role';
import { isSecondStepDue } from '@platform/shared/platform/access/second-step';
import type { LockedAccount } from '@platform/shared/platform/accounts/account';
import { hashAddress, type KeyedHash } from '@platform/shared/platform/codes/keyed-hashes';
import type { Profile } from '@platform/shared/platform/profile';
import type { PageQuery } from '../lists/lists.ts';
import type { UserReference } from '../lists/user-reference.ts';
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
export type ListedRow = User & {
  totp: boolean;
  /** Whether the user has switched the second step on. */
  isSecondStepOn: boolean;
};

/** A user as the contract has one: a deleted user has no address, and `blockedAt` lasts as long as the block. */
const toShown = <Row extends User>({ blockedAt, ...user }: Row) => ({
  ...user,
  email: user.email ?? 'deleted',
  ...(blockedAt && { blockedAt }),
});

/** `hasSecondStep`: whether a second step is due. */
export const toListedUser = (
  { totp: hasTotp, isSecondStepOn, ...user }: ListedRow,
  requiredFor: readonly PlatformRole[],
) => ({
  ...toShown(user),
  hasSecondStep: isSecondStepDue({ hasTotp, isSecondStepOn, roles: user.roles }, requiredFor),
});

/** Users who have never signed in come last. */
export type UserSort = '-createdAt' | 'createdAt' | '-lastSignInAt' | 'lastSignInAt';

/** `q` searches names and addresses, `search` only addresses. */
export type UserQuery = PageQuery & {
  role?: Role | undefined;
  isBlocked?: boolean | undefined;
  isEmailVerified?: boolean | undefined;
  hasPlatformRole?: boolean | undefined;
  createdFrom?: Date | undefined;
  createdUntil?: Date | undefined;
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
type UserIdentity = {
  id: string;
  provider: string;
  email: string | null;
  linkedAt: Date;
  lastUsedAt: Date | null;
};

type UserPasskey = { id: string; name: string; createdAt: Date; lastUsedAt: Date | null };

/** The latest block, also after its end, with the note that its ADMIN wrote within a minute after it. */
type UserBlock = { at: Date; by: UserReference; note: string | null };

/** After many failed attempts from any networks, the secret is accepted only from known devices. */
type UserPause = { secret: PausedSecret; until: Date };

/** The secrets as the contract names them. */
export type PausedSecret = 'password' | 'second-factor' | 'email-code';

export const toGuessedSecret = (secret: PausedSecret) => (secret === 'email-code' ? 'code' : secret);

/** The failures at an unverified address pause its codes, too. Null without such an address. */
export const toPausedAddress = (
  { email, isEmailVerified }: Pick<User, 'email' | 'isEmailVerified'>,
  hash: KeyedHash,
): string | null => (email === null || isEmailVerified ? null : hashAddress(hash, email));

/** The factors as stored. */
type StoredFactors = {
  totp: boolean;
  passkeys: number;
  recoveryCodesLeft: number;
  /** Whether the user has switched the second step on. */
  isSecondStepOn: boolean;
};

export type StoredUserDetail = User &
  WithProfiles & {
    language: Language;
    hasPassword: boolean;
    secondFactors: StoredFactors;
    projects: UserProject[];
    teams: UserTeam[];
    passkeys: UserPasskey[];
    identities: UserIdentity[];
    block: UserBlock | null;
  };

/** `isRequired`: whether a second step is due. */
export const toUserDetail = (
  { secondFactors: { isSecondStepOn, ...factors }, ...user }: StoredUserDetail,
  pauses: UserPause[],
  requiredFor: readonly PlatformRole[],
) => {
  const isRequired = isSecondStepDue(
    { hasTotp: factors.totp, isSecondStepOn, roles: user.roles },
    requiredFor,
  );
  return { ...toShown(user), pauses, secondFactors: { ...factors, isRequired } };
};

export type UserDetail = ReturnType<typeof toUserDetail>;

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
