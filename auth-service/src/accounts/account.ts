import { createHash } from 'node:crypto';
import type { CallerAccount } from '@platform/shared/access/caller';
import { getPlatformRole } from '@platform/shared/access/platform-role';
import { badRequest, conflict, forbidden, notFound } from '@platform/shared/errors/app-error';
import { KIND_CONFIGS, type Kind } from '../kinds.ts';
import type { FactorMethod } from '../second-factor/second-factor.ts';

export type Profile = {
  id: string;
  userId: string;
  firstName: string | null;
  lastName: string | null;
  phone: string | null;
  createdAt: Date;
  updatedAt: Date;
};

/** A user as one kind, with the profile of that kind; administrators have none. */
export type Account = CallerAccount & { profile: Profile | null };

/** What the payload of a token is built from. */
export type TokenSubject = Pick<Account, 'userId' | 'roles'> & { profile: Pick<Profile, 'id'> | null };

export type AccountWithProfile = Account & { profile: Profile };

/** The caller of an administrator's registration: an ADMIN, or nobody while the platform has none. */
export type RegistrationCaller = { administratorId?: string };

export type AccountWithPassword = Account & {
  passwordHash: string;
  /** Raised by every change of the user's second factors. */
  factorVersion: number;
  /** The ways to prove a second factor; none unless one is enabled. */
  factors: FactorMethod[];
};

export type NewProfile = {
  firstName?: string | undefined;
  lastName?: string | undefined;
  phone?: string | undefined;
};

/** What waiting sign-ins and pending changes are bound to. */
export type AccountState = Pick<AccountWithPassword, 'passwordHash' | 'factorVersion' | 'isEmailVerified'>;

/** Changes with the account's password and factors, and with the first proof of its e-mail. */
export const toStateDigest = ({ passwordHash, factorVersion, isEmailVerified }: AccountState): string =>
  createHash('sha256').update(`${isEmailVerified}:${factorVersion}:${passwordHash}`).digest('base64url');

/** The fields of an audit record about a change of an account. */
export const toAccountAudit = (
  action: 'EMAIL_VERIFIED' | 'PASSWORD_CHANGED' | 'PASSWORD_RESET',
  kind: Kind,
  userId: string,
) => ({ action, targetType: 'USER' as const, targetId: userId, details: { kind } });

/** Users type their e-mail in any letter case. */
export const normaliseEmail = (email: string): string => email.toLowerCase();

export const currentPasswordWrong = () =>
  badRequest('CURRENT_PASSWORD_WRONG', 'The current password is wrong');
export const platformRoleTaken = () =>
  conflict('PLATFORM_ROLE_TAKEN', 'The user already has a platform role');
const emailNotVerified = () =>
  forbidden('EMAIL_NOT_VERIFIED', 'Verify the e-mail address of this account first');

/** Factors are the owner's, and an unverified address is nobody's. A deleted user is unverified. @throws AppError 403 EMAIL_NOT_VERIFIED */
export const requireVerifiedEmail = (account: { isEmailVerified: boolean } | undefined): void => {
  if (!account?.isEmailVerified) throw emailNotVerified();
};
export const userNotFound = () => notFound('USER_NOT_FOUND', 'User not found');
const domainNotAllowed = () =>
  forbidden('DOMAIN_NOT_ALLOWED', 'Administrators need an e-mail address of an allowed domain');
export const emailTaken = () => conflict('EMAIL_TAKEN', 'An account with this e-mail already exists');

/** E-mail domains in lower case, of the kinds that are restricted to some. */
type AllowedDomains = { readonly [K in Kind]?: readonly string[] };

/** The requirements of a kind that an account must meet to sign in or to be created. */
export const createEligibility = (allowedDomains: AllowedDomains) => ({
  /** Subdomains do not count. @throws AppError 403 DOMAIN_NOT_ALLOWED */
  requireAllowedDomain: (kind: Kind, email: string): void => {
    const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
    if (allowedDomains[kind]?.includes(domain) === false) throw domainNotAllowed();
  },
  /** @throws AppError 403 PLATFORM_ROLE_INVALID */
  requirePlatformRole: (kind: Kind, { roles }: Account): void => {
    if (KIND_CONFIGS[kind].hasPlatformRole) getPlatformRole(roles);
  },
});

export type Eligibility = ReturnType<typeof createEligibility>;
