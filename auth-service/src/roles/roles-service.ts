import type { RequestContext } from '@platform/shared/http/request-context';
import type { PlatformRole } from '@platform/shared/platform/access/platform-role';
import { userNotFound } from '@platform/shared/platform/accounts/account';
import type { AccountChangeStore } from '@platform/shared/platform/accounts/account-changes-store';
import { assignPlatformRole } from '@platform/shared/platform/accounts/platform-roles';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { MailOutbox } from '@platform/shared/platform/mail/mail-outbox';
import { normaliseEmail } from '../accounts/account.ts';
import type { InTransaction } from '../infrastructure.ts';
import type { SecondFactorStore } from '../second-factor/second-factor-store.ts';
import type { PasskeyStore } from '../webauthn/passkeys-store.ts';

type Stores = {
  accountChanges: AccountChangeStore;
  secondFactor: SecondFactorStore;
  passkeys: PasskeyStore;
  audit: AuditLog;
  outbox: MailOutbox;
};

/** The user has chosen the names of the passkeys. */
type OwnFactors = { hasTotp: boolean; passkeys: string[] };

type RoleDependencies = { inTransaction: InTransaction<Stores>; adminAllowedDomains: readonly string[] };

export const createRoleService = ({
  inTransaction,
  adminAllowedDomains: allowedDomains,
}: RoleDependencies) => ({
  /**
   * Returns the factors of the account for the operator to check.
   * @throws AppError 404 USER_NOT_FOUND, then the errors of assignPlatformRole
   */
  assignRole: (emailInput: string, role: PlatformRole, context: RequestContext): Promise<OwnFactors> => {
    const email = normaliseEmail(emailInput);
    return inTransaction(async (stores) => {
      const account = await stores.accountChanges.lockByEmail(email);
      if (!account) throw userNotFound();
      await assignPlatformRole(stores, account, { role, allowedDomains, context });
      const { totpEnabledAt } = await stores.secondFactor.findState(account.id);
      const names = (await stores.passkeys.listByUser(account.id)).map(({ name }) => name);
      return { hasTotp: totpEnabledAt !== null, passkeys: names };
    });
  },
});
