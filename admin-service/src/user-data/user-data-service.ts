import { type ByAdministrator, toAuditRecord } from '@platform/shared/platform/access/by';
import type { PlatformRole } from '@platform/shared/platform/access/platform-role';
import { isSecondStepDue } from '@platform/shared/platform/access/second-step';
import { type LockedAccount, userNotFound } from '@platform/shared/platform/accounts/account';
import type { AccountDataStore } from '@platform/shared/platform/accounts/account-data-store';
import { createChangeUser } from '@platform/shared/platform/accounts/administrator-transaction';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { AuditPosition } from '@platform/shared/platform/audit/audit-position';
import type { AsAdministrator } from '../infrastructure.ts';
import type { SecondFactorStore } from '../user-access/second-factor-store.ts';

type UserDataStores = {
  accountData: AccountDataStore;
  secondFactors: SecondFactorStore;
  audit: AuditLog;
};

type Dependencies = {
  asAdministrator: AsAdministrator<UserDataStores>;
  config: { secondFactorRequiredFor: readonly PlatformRole[] };
};

export const createUserDataService = ({ asAdministrator, config }: Dependencies) => {
  const changeUser = createChangeUser(asAdministrator);

  const exportData = async (
    { accountData, secondFactors }: UserDataStores,
    { id, roles }: LockedAccount,
  ): Promise<object | undefined> => {
    const data = await accountData.export(id);
    const facts = { ...(await secondFactors.findState(id)), roles };
    const isRequired = isSecondStepDue(facts, config.secondFactorRequiredFor);
    return data && { ...data, secondFactor: { ...data.secondFactor, isRequired } };
  };

  return {
    /** Returns the same data as the user's own export. @throws AppError 404 */
    exportUser: (
      id: string,
      before: AuditPosition | undefined,
      by: ByAdministrator,
    ): Promise<{ data: object; next: AuditPosition | null }> =>
      changeUser(id, by, async (own, user) => {
        const data = before ? {} : await exportData(own, user);
        const history = await own.accountData.exportAuditRecords(user.id, before);
        if (!(data && history)) throw userNotFound();
        const target = { targetType: 'USER', targetId: user.id } as const;
        await own.audit.add(toAuditRecord(by, 'ACCOUNT_EXPORTED', target));
        return { data: { ...data, auditRecords: history.records }, next: history.next };
      }),
  };
};

export type UserDataService = ReturnType<typeof createUserDataService>;
