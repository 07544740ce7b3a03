import type { InTransaction } from '@platform/shared/db/database';
import { hashAddress, type KeyedHash } from '@platform/shared/platform/codes/keyed-hashes';
import { personNotFound } from '../accounts/account.ts';
import type { AccountKeyStore } from './account-keys-store.ts';
import type { AccountTimeStore, Durations } from './account-times-store.ts';
import { type Aged, type AgedAccount, type Lasting, toAged } from './age.ts';

type Dependencies = {
  inTransaction: InTransaction<AccountTimeStore>;
  accountKeys: AccountKeyStore;
  hashes: readonly KeyedHash[];
  durations: Durations;
  passTimeOfKeys: (keys: string[], seconds: number) => Promise<number[]>;
};

export const createAgeService = (dependencies: Dependencies) => {
  const { inTransaction, accountKeys, hashes, durations, passTimeOfKeys } = dependencies;

  const toSubjects = ({ id, emails }: AgedAccount): string[] => [
    id,
    ...hashes.flatMap((hash) => emails.map((email) => hashAddress(hash, email))),
  ];

  const passTimeInRedis = async (account: AgedAccount, seconds: number): Promise<Lasting[]> => {
    const named = await accountKeys.find(account);
    const milliseconds = await passTimeOfKeys([...named.keys()], seconds);
    const now = Date.now();
    return [...named.values()].flatMap((what, index) => {
      const left = milliseconds[index] ?? 0;
      return left > 0 ? [{ what, until: new Date(now + left) }] : [];
    });
  };

  return {
    /**
     * Does to the account what time would have done. Concurrent calls add up. The times in Redis move last and before
     * the commit, so without Redis nothing has moved. @throws AppError 404 PERSON_NOT_FOUND, 503
     */
    age: (id: string, seconds: number): Promise<Aged> =>
      inTransaction(async (times) => {
        const account = await times.lock(id);
        if (!account) throw personNotFound();
        const subjects = toSubjects(account);
        const inDatabase = await times.listLasting(account, subjects, durations);
        await times.move(account, subjects, seconds);
        return toAged([...inDatabase, ...(await passTimeInRedis(account, seconds))], seconds);
      }),
  };
};

export type AgeService = ReturnType<typeof createAgeService>;
