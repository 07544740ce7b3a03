import { conflict, forbidden, notFound } from '../../errors/app-error.ts';
import type { Language } from '../../http/language.ts';

/** An account that is not deleted and is locked by a transaction. */
export type LockedAccount = {
  id: string;
  email: string;
  isEmailVerified: boolean;
  isBlocked: boolean;
  language: Language;
  timeZone: string | null;
  roles: string[];
};

/** The reasons why an account cannot be deleted. */
export type DeletionRejection = 'PLATFORM_ROLE_TAKEN' | 'LAST_TEAM_ADMINISTRATOR';

const REJECTIONS: Readonly<Record<DeletionRejection, string>> = {
  PLATFORM_ROLE_TAKEN: 'The user holds a platform role, which must be removed first',
  LAST_TEAM_ADMINISTRATOR: 'The user is the last administrator of a team',
};

export const deletionRejected = (rejection: DeletionRejection) => conflict(rejection, REJECTIONS[rejection]);
export const userNotFound = () => notFound('USER_NOT_FOUND', 'User not found');
export const platformRoleTaken = () =>
  conflict('PLATFORM_ROLE_TAKEN', 'The user already has a platform role');
export const platformRoleNotFound = () =>
  notFound('PLATFORM_ROLE_NOT_FOUND', 'The user holds no platform role');
export const lastAdministrator = () =>
  conflict('LAST_ADMINISTRATOR', 'The user is the only ADMIN; register another one first');
export const otherRoles = () => conflict('OTHER_ROLES', 'The user is also a customer or an employee');
/** USER_BLOCKED concerns the caller, and would end the session of the client. */
export const userIsBlocked = () => conflict('USER_IS_BLOCKED', 'The user is blocked');

const emailNotVerified = () =>
  forbidden('EMAIL_NOT_VERIFIED', 'Verify the e-mail address of this account first');

/**
 * The owner of an address owns its factors, and the account does not own an unverified address yet. A deleted
 * user is unverified. @throws AppError 403 EMAIL_NOT_VERIFIED
 */
export const requireVerifiedEmail = (account: { isEmailVerified: boolean } | undefined): void => {
  if (!account?.isEmailVerified) throw emailNotVerified();
};

const domainNotAllowed = () =>
  forbidden('DOMAIN_NOT_ALLOWED', 'Administrators need an e-mail address of an allowed domain');

/** Subdomains do not match. `allowedDomains` are in lower case. @throws AppError 403 DOMAIN_NOT_ALLOWED */
export const requireAllowedDomain = (email: string, allowedDomains: readonly string[]): void => {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  if (!allowedDomains.includes(domain)) throw domainNotAllowed();
};
