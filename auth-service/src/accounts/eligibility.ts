import { userBlocked } from '@platform/shared/errors/app-error';
import { getPlatformRole } from '@platform/shared/platform/access/platform-role';
import { requireAllowedDomain } from '@platform/shared/platform/accounts/account';
import type { Account } from '../authentication/callers.ts';
import { KIND_CONFIGS, type Kind } from '../kinds.ts';

// These rules say which accounts may do an action.

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
