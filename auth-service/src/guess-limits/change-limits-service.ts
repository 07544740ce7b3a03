import { tooManyRequests } from '@platform/shared/errors/app-error';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import { LIMITED_CHANGES } from './guess-limits.ts';

/** The owner gets a mail for each change, and a stolen session must not fill the mailbox. */
const CHANGES_PER_HOUR = 10;

/** Limits how often the owner of an account can change it. The audit log has the earlier changes. */
export const createChangeLimitService = () => ({
  /** @throws AppError 429 RATE_LIMITED */
  requireChangeAllowed: async (
    { audit }: { audit: AuditLog },
    userId: string,
    change: keyof typeof LIMITED_CHANGES,
  ): Promise<void> => {
    const seconds = await audit.secondsUntilBelow(CHANGES_PER_HOUR, userId, LIMITED_CHANGES[change]);
    if (seconds > 0)
      throw tooManyRequests('RATE_LIMITED', 'Too many changes of this account; retry later.', seconds);
  },
});

export type ChangeLimitService = ReturnType<typeof createChangeLimitService>;
