import { tokenInvalid } from '@platform/shared/errors/app-error';
import type { AccountChangeStore } from '@platform/shared/platform/accounts/account-changes-store';
import { lockSignedIn } from '@platform/shared/platform/accounts/administrator-transaction';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import { toOwnAudit } from '../accounts/account-audit.ts';
import type { AccountStore } from '../accounts/accounts-store.ts';
import type { ConfirmingCaller } from '../authentication/callers.ts';
import type { InTransaction } from '../infrastructure.ts';

type Stores = { accounts: AccountStore; accountChanges: AccountChangeStore; audit: AuditLog };

type Dependencies = { stores: Pick<Stores, 'accounts'>; inTransaction: InTransaction<Stores> };

/** How colleagues see an administrator. */
export const createAdministratorNameService = ({ stores, inTransaction }: Dependencies) => ({
  find: ({ account }: ConfirmingCaller): Promise<string | null> =>
    stores.accounts.findAdministratorName(account.userId),

  /**
   * Returns the name as stored afterwards. @throws AppError 401 TOKEN_INVALID if the session has ended or the
   * platform role was removed in the meantime, USER_BLOCKED
   */
  change: (caller: ConfirmingCaller, name: string | null): Promise<string | null> =>
    inTransaction(async ({ accounts, audit, ...own }) => {
      const { userId } = caller.account;
      await lockSignedIn(own, { userId, tokenId: caller.tokenId });
      if ((await accounts.findAdministratorName(userId)) === name) return name;
      if (!(await accounts.setAdministratorName(userId, name))) throw tokenInvalid();
      // The audit log outlives the account, so it does not have the name.
      await audit.add(toOwnAudit('ADMINISTRATOR_NAME_CHANGED', caller));
      return name;
    }),
});

export type AdministratorNameService = ReturnType<typeof createAdministratorNameService>;
