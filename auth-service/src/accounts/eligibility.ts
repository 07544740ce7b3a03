import { forbidden, userBlocked } from '@platform/shared/errors/app-error';
import { getPlatformRole } from '@platform/shared/platform/access/platform-role';
import type { Account } from '../authentication/callers.ts';
import { KIND_CONFIGS, type Kind } from '../kinds.ts';

// These rules say which accounts may do an action.

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

/** Applies to a kind that is restricted to certain domains. @throws AppError 403 DOMAIN_NOT_ALLOWED */
export const requireDomainOfKind = (kind: Kind, email: string, allowedDomains: readonly string[]): void => {
  if (KIND_CONFIGS[kind].hasPlatformRole) requireAllowedDomain(email, allowedDomains);
};

/** Applies to a kind that requires a platform role. @throws AppError 403 PLATFORM_ROLE_INVALID */
const requirePlatformRole = (kind: Kind, { roles }: Account): void => {
  if (KIND_CONFIGS[kind].hasPlatformRole) getPlatformRole(roles);
};

/**
 * Checks a sign-in whose proofs are verified. @throws AppError 401 USER_BLOCKED, 403 PLATFORM_ROLE_INVALID
 */
export const requireEligible = (kind: Kind, account: Account): void => {
  if (account.isBlocked) throw userBlocked();
  requirePlatformRole(kind, account);
};
