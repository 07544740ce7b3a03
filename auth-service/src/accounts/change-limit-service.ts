import type { AuditAction } from '@platform/shared/audit/audit-log';
import { tooManyRequests } from '@platform/shared/errors/app-error';
import type { Stores } from '../stores.ts';

/** Each change is mailed to the owner: a stolen session must not fill the mailbox. */
const CHANGES_PER_HOUR = 10;

/** The changes that count together. A password reset by code is not limited here: its codes are. */
const CHANGES = {
  password: ['PASSWORD_CHANGED'],
  email: ['EMAIL_CHANGED'],
  factors: ['TOTP_ENABLED', 'TOTP_DISABLED', 'PASSKEY_ADDED', 'PASSKEY_REMOVED', 'RECOVERY_CODES_REPLACED'],
} as const satisfies Record<string, AuditAction[]>;

/** Exact in a transaction that has locked the user. @throws AppError 429 RATE_LIMITED */
export const requireChangeAllowed = async (
  { audit }: Stores,
  userId: string,
  change: keyof typeof CHANGES,
): Promise<void> => {
  const seconds = await audit.secondsUntilBelow(CHANGES_PER_HOUR, userId, CHANGES[change]);
  if (seconds > 0)
    throw tooManyRequests('RATE_LIMITED', 'Too many changes of this account; retry later.', seconds);
};
