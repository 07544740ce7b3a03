import type { RequestContext } from '@platform/shared/audit/audit-log';
import { tokenInvalid } from '@platform/shared/errors/app-error';
import type { ConfirmIdentity, ConfirmingCaller } from '../feature-types.ts';
import type { FactorProof } from '../second-factor/second-factor.ts';
import type { InTransaction } from '../stores.ts';
import { deletionRefused, toOwnAudit } from './own-account.ts';

type Dependencies = {
  inTransaction: InTransaction;
  confirmIdentity: ConfirmIdentity;
  /** Best effort. */
  removePendingChange: (userId: string) => Promise<void>;
};

type Confirmation = { currentPassword: string; proof: FactorProof | undefined };

export const createOwnAccountService = (dependencies: Dependencies) => {
  const { inTransaction, confirmIdentity, removePendingChange } = dependencies;

  return {
    /** @throws AppError 401 TOKEN_INVALID when the account was deleted meanwhile */
    exportAccount: (caller: ConfirmingCaller, context: RequestContext): Promise<object> =>
      inTransaction(async (stores) => {
        const data = await stores.ownAccount.export(caller.account.userId);
        if (!data) throw tokenInvalid();
        await stores.audit.add(toOwnAudit('ACCOUNT_EXPORTED', caller, context));
        return data;
      }),

    /**
     * Ends all sessions. Another account may have the e-mail afterwards.
     * @throws AppError 409: PLATFORM_ROLE_TAKEN, LAST_TEAM_ADMINISTRATOR; and the errors of ConfirmIdentity
     */
    deleteAccount: async (
      caller: ConfirmingCaller,
      confirmation: Confirmation,
      context: RequestContext,
    ): Promise<void> => {
      const { userId, language } = caller.account;
      const requirement = { requiresFactor: 'if-enabled' } as const;
      await confirmIdentity(caller, confirmation, requirement, context, async (stores) => {
        const deleted = await stores.ownAccount.delete(userId);
        if (!deleted) throw tokenInvalid();
        const { formerEmail, refusal } = deleted;
        if (refusal) throw deletionRefused(refusal);
        const deletedAt = new Date().toISOString();
        await stores.outbox.add(
          { template: 'account-deleted', to: formerEmail, language, deletedAt },
          context.requestId,
        );
        await stores.audit.add(toOwnAudit('ACCOUNT_DELETED', caller, context));
      });
      await removePendingChange(userId);
    },
  };
};

export type OwnAccountService = ReturnType<typeof createOwnAccountService>;
