import type { ConfirmingCaller, MailContext } from '../feature-types.ts';
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
  { kind, account: { userId, email } }: Owner,
  action: Action,
  { requestId, address, language }: MailContext,
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
    requestId,
  );
  await stores.audit.add({
    requestId,
    address,
    action,
    actorId: userId,
    targetType: 'USER',
    targetId: userId,
    details: { kind, ...details },
  });
};

/**
 * Everything that a change of factors entails, within its transaction, in which the user is locked: waiting sign-ins become
 * invalid, the user's other sessions end, the change is audited and mailed.
 */
export const recordFactorChange = async (
  stores: Stores,
  caller: ConfirmingCaller,
  action: Exclude<Action, 'RECOVERY_CODE_USED'>,
  client: MailContext,
  details?: Record<string, unknown>,
): Promise<void> => {
  const { userId } = caller.account;
  await stores.secondFactor.raiseVersion(userId);
  await stores.sessions.removeTokensOfUser(userId, caller.tokenId);
  await stores.tokenRecords.resetMethodsWithoutFactor(caller.tokenId);
  await auditAndMail(stores, caller, action, client, details);
};

/** A used code is no change of factors: it ends no session. */
export const recordRecoveryCodeUse = (stores: Stores, owner: Owner, client: MailContext): Promise<void> =>
  auditAndMail(stores, owner, 'RECOVERY_CODE_USED', client);
