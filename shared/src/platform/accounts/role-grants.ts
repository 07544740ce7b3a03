import { tooManyRequests } from '../../errors/app-error.ts';
import type { NoticeMail } from '../mail/mail.ts';
import type { LockedAccount } from './account.ts';
import type { AccountChangeStore } from './account-changes-store.ts';

// The rules for all three ways in which an ADMIN gives a platform role: registration, invitation and
// assignment.

/** How many platform roles one ADMIN may give. */
const ROLE_GRANTS_PER_HOUR = 20;

/**
 * Counts committed changes only; an invitation counts when it is sent. In a transaction that has locked the
 * ADMIN, concurrent requests cannot exceed the limit. @throws AppError 429 RATE_LIMITED
 */
export const requireRoleGrantAllowed = async (
  { accountChanges }: { accountChanges: AccountChangeStore },
  administratorId: string,
): Promise<void> => {
  const seconds = await accountChanges.secondsUntilRoleGrant(administratorId, ROLE_GRANTS_PER_HOUR);
  if (seconds > 0)
    throw tooManyRequests('RATE_LIMITED', 'Too many platform roles given; retry later.', seconds);
};

/** The mail to the ADMIN who gave the role to the user with the address. */
export const toRoleGivenMail = (
  { email: to, language, isEmailVerified }: LockedAccount,
  { email, role, changedAt }: { email: string; role: string; changedAt: string },
): NoticeMail => ({ template: 'platform-role-given', to, language, isEmailVerified, email, role, changedAt });
