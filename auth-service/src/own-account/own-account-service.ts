import { tokenInvalid } from '@platform/shared/errors/app-error';
import type { AccountChangeStore } from '@platform/shared/platform/accounts/account-changes-store';
import type { AccountDataStore } from '@platform/shared/platform/accounts/account-data-store';
import { deleteAccount } from '@platform/shared/platform/accounts/account-deletion';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { AuditPosition } from '@platform/shared/platform/audit/audit-position';
import type { MailOutbox } from '@platform/shared/platform/mail/mail-outbox';
import type { Profile } from '@platform/shared/platform/profile';
import { toOwnAudit } from '../accounts/account-audit.ts';
import type { AccountStore } from '../accounts/accounts-store.ts';
import { type ProfileChanges, toEffectiveChanges } from '../accounts/profile.ts';
import type { ConfirmingCaller } from '../authentication/callers.ts';
import type { InTransaction } from '../infrastructure.ts';
import type { ProfileKind } from '../kinds.ts';
import type { Confirmation } from '../second-factor/confirmation.ts';
import type { ConfirmationService } from '../second-factor/confirmation-service.ts';
import type { ToSecondStep } from '../second-factor/second-factor.ts';
import type { SecondFactorStore } from '../second-factor/second-factor-store.ts';
import type { TokenRecordStore } from '../sessions/token-records-store.ts';
import type { PasskeyStore } from '../webauthn/passkeys-store.ts';
import type { PendingChangeStore } from './own-account-store.ts';

export type OwnAccountStores = {
  ownAccount: AccountDataStore;
  accountChanges: AccountChangeStore;
  accounts: AccountStore;
  audit: AuditLog;
  tokenRecords: TokenRecordStore;
  secondFactor: SecondFactorStore;
  passkeys: PasskeyStore;
  outbox: MailOutbox;
};

type Dependencies = {
  stores: Pick<OwnAccountStores, 'ownAccount'>;
  inTransaction: InTransaction<OwnAccountStores>;
  confirmations: ConfirmationService;
  pendingChanges: PendingChangeStore;
  toSecondStep: ToSecondStep;
};

export const createOwnAccountService = (dependencies: Dependencies) => {
  const { stores, inTransaction, confirmations, pendingChanges, toSecondStep } = dependencies;

  const exportData = async ({ ownAccount, accounts }: OwnAccountStores, userId: string) => {
    const data = await ownAccount.export(userId);
    if (!data) return undefined;
    const { isDue } = toSecondStep(await accounts.getFactors(userId));
    return { ...data, secondFactor: { ...data.secondFactor, isRequired: isDue } };
  };

  return {
    /**
     * Returns all data with the newest audit records, or only the audit records before the position. `next`
     * is null at the end. @throws AppError 401 TOKEN_INVALID if the account was deleted in the meantime
     */
    exportAccount: (
      caller: ConfirmingCaller,
      before: AuditPosition | undefined,
    ): Promise<{ data: object; next: AuditPosition | null }> =>
      inTransaction(async (stores) => {
        const { userId } = caller.account;
        const data = before ? {} : await exportData(stores, userId);
        const history = await stores.ownAccount.exportAuditRecords(userId, before);
        if (!(data && history)) throw tokenInvalid();
        await stores.audit.add(toOwnAudit('ACCOUNT_EXPORTED', caller));
        return { data: { ...data, auditRecords: history.records }, next: history.next };
      }),

    /** The sign-ins of every kind. @throws AppError 401 TOKEN_INVALID if the account was deleted meanwhile */
    listSignIns: async (caller: ConfirmingCaller, size: number, before: AuditPosition | undefined) => {
      const history = await stores.ownAccount.listSignIns(caller.account.userId, size, before);
      if (!history) throw tokenInvalid();
      return history;
    },

    /**
     * Returns the profile as stored afterwards. @throws AppError 401 TOKEN_INVALID if the account was deleted, or
     * the session has ended, in the meantime
     */
    changeProfile: (kind: ProfileKind, caller: ConfirmingCaller, changes: ProfileChanges): Promise<Profile> =>
      inTransaction(async (stores) => {
        const { userId } = caller.account;
        const isKept = await stores.accounts.lock(userId);
        const profile = isKept && (await stores.accounts.findById(kind, userId))?.profile;
        if (!profile) throw tokenInvalid();
        // The first proof of an address ends the sessions of strangers, and clears the names that they chose.
        if (!(await stores.tokenRecords.exists(caller.tokenId))) throw tokenInvalid();
        const effective = toEffectiveChanges(profile, changes);
        const fields = Object.keys(effective);
        if (fields.length === 0) return profile;
        // Records only the names of the fields, because the audit log outlives the account.
        await stores.audit.add(toOwnAudit('PROFILE_CHANGED', caller, { fields }));
        return await stores.accounts.updateProfile(kind, userId, effective);
      }),

    /**
     * Ends all sessions. Another account may use the e-mail afterwards.
     * @throws AppError 409 PLATFORM_ROLE_TAKEN, LAST_TEAM_ADMINISTRATOR; and the errors of
     * inConfirmedTransaction
     */
    deleteAccount: async (caller: ConfirmingCaller, confirmation: Confirmation): Promise<void> => {
      const { userId } = caller.account;
      const change = async (stores: OwnAccountStores) => {
        const { kind, context } = caller;
        const isDeleted = await deleteAccount(stores, userId, {
          actorId: userId,
          context,
          details: { kind },
        });
        if (!isDeleted) throw tokenInvalid();
      };
      await confirmations.inConfirmedTransaction(inTransaction, caller, confirmation, 'if-due', change);
      await pendingChanges.remove(userId);
    },
  };
};

export type OwnAccountService = ReturnType<typeof createOwnAccountService>;
