import type { Background } from '@platform/shared/async/tasks';
import type { MailOutbox } from '@platform/shared/platform/mail/mail-outbox';
import type { AccountStore } from '../accounts/accounts-store.ts';
import type { InTransaction } from '../infrastructure.ts';

type Stores = { accounts: AccountStore; outbox: MailOutbox };

type Dependencies = {
  stores: Pick<Stores, 'accounts'>;
  inTransaction: InTransaction<Stores>;
  background: Background;
};

/** Tells the owner of an address, who waits for a code, that the account is of another kind. */
export const createWrongKindNotifier = ({ stores, inTransaction, background }: Dependencies) => {
  const notify = async (email: string, requestId: string): Promise<void> => {
    // This kind includes all users.
    const account = await stores.accounts.findByEmail('administrator', email);
    if (!account || account.roles.length === 0) return;
    const { userId, language } = account;
    await inTransaction(async ({ accounts, outbox }) => {
      // Meanwhile, the account may have been deleted, or have another address.
      if ((await accounts.lock(userId))?.email !== email) return;
      await outbox.add({ template: 'wrong-kind', to: email, language }, requestId, userId);
    });
  };

  /** Works in the background: otherwise the response would take longer than for an unknown e-mail. */
  return (email: string, requestId: string): void => background.run(() => notify(email, requestId));
};

export type NotifyWrongKind = ReturnType<typeof createWrongKindNotifier>;
