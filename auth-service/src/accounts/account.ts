import type { CallerAccount } from '@platform/shared/access/caller';
import { getPlatformRole } from '@platform/shared/access/platform-role';
import { badRequest, conflict, forbidden, notFound } from '@platform/shared/errors/app-error';
import { factsOf, type Kind } from '../kinds.ts';

export type Profile = {
  id: string;
  userId: string;
  firstName: string | null;
  lastName: string | null;
  phone: string | null;
  createdAt: Date;
  updatedAt: Date;
};

/** A user as one kind: with the profile that makes the user a customer or an employee; an administrator has none. */
export type Account = CallerAccount & { profile: Profile | null };

/** A customer or an employee. */
export type AccountWithProfile = Account & { profile: Profile };

/** Who registers an administrator: another one, or nobody while the platform has none. */
export type Registrar = { administratorId?: string };

export type AccountWithPassword = Account & { passwordHash: string };

export type NewProfile = {
  firstName?: string | undefined;
  lastName?: string | undefined;
  phone?: string | undefined;
};

/** The part of an audit record that tells which change was made to which account. */
export const accountChange = (
  action: 'EMAIL_VERIFIED' | 'PASSWORD_CHANGED' | 'PASSWORD_RESET',
  kind: Kind,
  userId: string,
) => ({ action, targetType: 'USER' as const, targetId: userId, details: { kind } });

/** One address in two letter cases is one address; users type it either way. */
export const normaliseEmail = (email: string): string => email.toLowerCase();

export const currentPasswordWrong = () =>
  badRequest('CURRENT_PASSWORD_WRONG', 'The current password is wrong');
export const platformRoleTaken = () =>
  conflict('PLATFORM_ROLE_TAKEN', 'The user holds a platform role already');
export const emailNotVerified = () =>
  forbidden('EMAIL_NOT_VERIFIED', 'The e-mail address of this user is not verified');
export const userNotFound = () => notFound('USER_NOT_FOUND', 'There is no such user');
export const domainNotAllowed = () =>
  forbidden('DOMAIN_NOT_ALLOWED', 'Administrators need an e-mail of an allowed domain');
export const emailTaken = () => conflict('EMAIL_TAKEN', 'An account with this e-mail exists');

/** Which kinds take only e-mails of certain domains, in lower case. */
export type AllowedDomains = { readonly [K in Kind]?: readonly string[] };

/** Who may be of a kind at all; the kinds' differences are data. */
export const createAdmission = (allowedDomains: AllowedDomains) => ({
  /** Judged on the text alone, the exact domain. @throws AppError 403 DOMAIN_NOT_ALLOWED */
  requireAllowedDomain: (kind: Kind, email: string): void => {
    const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
    if (allowedDomains[kind]?.includes(domain) === false) throw domainNotAllowed();
  },
  /** @throws AppError 403 PLATFORM_ROLE_INVALID */
  requireRole: (kind: Kind, { roles }: Account): void => {
    if (factsOf(kind).hasPlatformRole) getPlatformRole(roles);
  },
});

export type Admission = ReturnType<typeof createAdmission>;
