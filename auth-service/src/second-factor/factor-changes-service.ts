import type { RequestContext } from '@platform/shared/audit/audit-log';
import type { ConfirmingCaller } from '../feature-types.ts';
import type { Stores } from '../stores.ts';

/** Changes of factors by their owner, as the audit log and the mail to the owner name them. */
const MAIL_CHANGES = {
  TOTP_ENABLED: 'totp-enabled',
  TOTP_DISABLED: 'totp-disabled',
  PASSKEY_ADDED: 'passkey-added',
  PASSKEY_REMOVED: 'passkey-removed',
  RECOVERY_CODES_REPLACED: 'recovery-codes-replaced',
  RECOVERY_CODE_USED: 'recovery-code-used',
} as const;

type Action = keyof typeof MAIL_CHANGES;
type Owner = Pick<ConfirmingCaller, 'kind' | 'account'>;

const auditAndMail = async (
  stores: Stores,
  { kind, account: { userId, email, language } }: Owner,
  action: Action,
  context: RequestContext,
  details: Record<string, unknown> = {},
): Promise<void> => {
  await stores.outbox.add(
    {
      template: 'second-factor-changed',
      to: email,
      language,
      changedAt: new Date().toISOString(),
      change: MAIL_CHANGES[action],
    },
    context.requestId,
  );
  await stores.audit.add({
    ...context,
    action,
    actorId: userId,
    targetType: 'USER',
    targetId: userId,
    details: { kind, ...details },
  });
};

type FactorChange = Exclude<Action, 'RECOVERY_CODE_USED'>;

/**
 * Everything that a change of factors entails, within its transaction, in which the user is locked: waiting sign-ins become
 * invalid, the user's other sessions end, the change is audited and mailed.
 * @param requireChangeAllowed throws AppError 429 RATE_LIMITED
 */
export const createFactorChangeRecorder =
  (requireChangeAllowed: (stores: Stores, userId: string, change: 'factors') => Promise<void>) =>
  async (
    stores: Stores,
    caller: ConfirmingCaller,
    action: FactorChange,
    context: RequestContext,
    details?: Record<string, unknown>,
  ): Promise<void> => {
    const { userId } = caller.account;
    await requireChangeAllowed(stores, userId, 'factors');
    await stores.secondFactor.raiseVersion(userId);
    await stores.sessions.removeTokensOfUser(userId, caller.tokenId);
    await stores.tokenRecords.resetMethodsWithoutFactor(caller.tokenId);
    await auditAndMail(stores, caller, action, context, details);
  };

/** A used code is no change of factors: it ends no session. */
export const recordRecoveryCodeUse = (stores: Stores, owner: Owner, context: RequestContext): Promise<void> =>
  auditAndMail(stores, owner, 'RECOVERY_CODE_USED', context);
