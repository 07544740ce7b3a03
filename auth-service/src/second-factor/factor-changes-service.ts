import type { SecondFactorRequirement } from '@platform/shared/platform/access/caller';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { SecondFactorChange } from '@platform/shared/platform/mail/mail';
import type { MailOutbox } from '@platform/shared/platform/mail/mail-outbox';
import { toOwnAudit } from '../accounts/account-audit.ts';
import type { AccountStore } from '../accounts/accounts-store.ts';
import type { ConfirmingCaller } from '../authentication/callers.ts';
import type { ChangeLimitService } from '../guess-limits/change-limits-service.ts';
import type { ChangeOf } from '../guess-limits/guess-limits.ts';
import type { SessionStore } from '../sessions/sessions-store.ts';
import type { TokenRecordStore } from '../sessions/token-records-store.ts';
import type { SecondFactorStore } from './second-factor-store.ts';

/** Changes of factors by their owner, as named in the audit log and in the mail to the owner. */
const FACTOR_CHANGES = {
  TOTP_ENABLED: 'totp-enabled',
  TOTP_DISABLED: 'totp-disabled',
  PASSKEY_ADDED: 'passkey-added',
  PASSKEY_REMOVED: 'passkey-removed',
  RECOVERY_CODES_REPLACED: 'recovery-codes-replaced',
} as const satisfies Record<ChangeOf<'factors'>, SecondFactorChange>;

type Stores = {
  accounts: AccountStore;
  sessions: SessionStore;
  tokenRecords: TokenRecordStore;
  secondFactor: SecondFactorStore;
  outbox: MailOutbox;
  audit: AuditLog;
};

type Dependencies = { changeLimits: ChangeLimitService; requireSecondFactor: SecondFactorRequirement };

/** The consequences of a change of factors, in a transaction that has locked the user. */
export const createFactorChangeService = ({ changeLimits, requireSecondFactor }: Dependencies) => ({
  /**
   * Invalidates waiting sign-ins, ends the user's other sessions, and audits and mails the change.
   * @throws AppError 429 RATE_LIMITED, 403 SECOND_FACTOR_ENROLMENT_REQUIRED for the last factor of a user
   * whose role requires one
   */
  recordFactorChange: async (
    stores: Stores,
    caller: ConfirmingCaller,
    action: keyof typeof FACTOR_CHANGES,
    details?: object,
  ): Promise<void> => {
    const { userId, email: to, language, isEmailVerified } = caller.account;
    await changeLimits.requireChangeAllowed(stores, userId, 'factors');
    await stores.secondFactor.raiseVersion(userId);
    await stores.sessions.removeTokensOfUser(userId, caller.tokenId);
    if (!(await stores.secondFactor.isEnabled(userId))) {
      const account = await stores.accounts.findById(caller.kind, userId);
      requireSecondFactor({ account: account ?? caller.account, methods: [] });
      // The user must prove a factor again that is added later.
      await stores.tokenRecords.resetMethods(caller.tokenId);
    }
    const changedAt = new Date().toISOString();
    const change = FACTOR_CHANGES[action];
    const notice = { to, language, isEmailVerified, changedAt };
    const mail = { template: 'second-factor-changed', ...notice, change } as const;
    await stores.outbox.add(mail, caller.context.requestId, userId);
    await stores.audit.add(toOwnAudit(action, caller, details));
  },
});

export type FactorChangeService = ReturnType<typeof createFactorChangeService>;
