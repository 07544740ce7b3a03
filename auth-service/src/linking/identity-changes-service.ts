import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { MailOutbox } from '@platform/shared/platform/mail/mail-outbox';
import { toOwnAudit } from '../accounts/account-audit.ts';
import type { AuthCaller } from '../authentication/callers.ts';
import type { ChangeLimitService } from '../guess-limits/change-limits-service.ts';
import type { ChangeOf } from '../guess-limits/guess-limits.ts';

type Stores = { outbox: MailOutbox; audit: AuditLog };

const MAILS = {
  IDENTITY_LINKED: { template: 'identity-linked' },
  IDENTITY_UNLINKED: { template: 'identity-unlinked', byAdministrator: false },
} as const satisfies Record<ChangeOf<'identities'>, object>;

export const createIdentityChangeService = (changeLimits: ChangeLimitService) => ({
  /** Audits and mails the change, in its transaction. @throws AppError 429 RATE_LIMITED */
  recordIdentityChange: async (
    stores: Stores,
    { kind, account, context }: Pick<AuthCaller, 'kind' | 'account' | 'context'>,
    action: keyof typeof MAILS,
    provider: { id: string; name: string },
  ): Promise<void> => {
    const { userId, email: to, language, isEmailVerified } = account;
    await changeLimits.requireChangeAllowed(stores, userId, 'identities');
    const changedAt = new Date().toISOString();
    const notice = { to, language, isEmailVerified, changedAt };
    const mail = { ...MAILS[action], ...notice, provider: provider.name };
    await stores.outbox.add(mail, context.requestId, userId);
    await stores.audit.add(toOwnAudit(action, { kind, account, context }, { provider: provider.id }));
  },
});

export type IdentityChangeService = ReturnType<typeof createIdentityChangeService>;
