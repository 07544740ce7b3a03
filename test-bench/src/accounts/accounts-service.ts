import type { InTransaction } from '@platform/shared/db/database';
import { findPlatformRole } from '@platform/shared/platform/access/platform-role';
import type { AccountChangeStore } from '@platform/shared/platform/accounts/account-changes-store';
import { deleteAccount } from '@platform/shared/platform/accounts/account-deletion';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { MailOutbox } from '@platform/shared/platform/mail/mail-outbox';
import { type LabelledAccount, personNotFound } from './account.ts';
import type { LabelledAccountStore } from './accounts-store.ts';

type Stores = {
  labelled: LabelledAccountStore;
  accountChanges: AccountChangeStore;
  audit: AuditLog;
  outbox: MailOutbox;
};

type Dependencies = {
  stores: Pick<Stores, 'labelled'>;
  inTransaction: InTransaction<Stores>;
  removePendingChange: (userId: string) => Promise<void>;
};

const CONTEXT = { requestId: 'test-bench', address: 'test bench' };

/** Which account belongs to which label. */
export const createLabelledAccountService = ({
  stores,
  inTransaction,
  removePendingChange,
}: Dependencies) => {
  const { labelled } = stores;

  /** Does what its owner could do, after what would hinder it. */
  const deleteOne = (id: string, ofLabel: readonly string[]): Promise<void> =>
    inTransaction(async (own) => {
      const account = await own.accountChanges.lock(id);
      if (account) {
        await own.labelled.leaveTeams(id, ofLabel);
        const role = findPlatformRole(account.roles);
        if (role) await own.accountChanges.removeRole(id, role);
        await deleteAccount(own, id, { context: CONTEXT });
      }
      await own.labelled.remove(id);
    });

  /** @throws AppError 404 PERSON_NOT_FOUND */
  const get = async (id: string): Promise<LabelledAccount> => {
    const account = await labelled.find(id);
    if (!account) throw personNotFound();
    return account;
  };

  return {
    add: (account: LabelledAccount): Promise<void> => labelled.add(account),

    get,
    /** @throws AppError 404 PERSON_NOT_FOUND, also if nobody knows the address any more */
    getWithEmail: async (id: string): Promise<{ email: string }> => {
      const { email } = await get(id);
      if (email === null) throw personNotFound();
      return { email };
    },

    /** The labels of the accounts with these addresses, which are in lower case. */
    findLabels: async (emails: string[]): Promise<Map<string, string>> =>
      new Map((await labelled.listByEmails(emails)).map(({ email, label }) => [email, label])),

    /** Deletes the accounts of the label. Returns the addresses that they had. */
    deleteAll: async (label: string): Promise<string[]> => {
      const accounts = await labelled.listByLabel(label);
      const ids = accounts.map(({ id }) => id);
      for (const id of ids) {
        await deleteOne(id, ids);
        await removePendingChange(id);
      }
      const emails = accounts.flatMap(({ email, firstEmail }) => [email, firstEmail]);
      return [...new Set(emails.filter((email) => email !== null))];
    },
  };
};

export type LabelledAccountService = ReturnType<typeof createLabelledAccountService>;
