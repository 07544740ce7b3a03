import { createInTransaction, type Database } from '@platform/shared/db/database';
import type { Log } from '@platform/shared/log/log';
import { createAccountChangeStore } from '@platform/shared/platform/accounts/account-changes-store';
import { removePendingChange } from '@platform/shared/platform/accounts/pending-email-change';
import { createAuditLog } from '@platform/shared/platform/audit/audit-log';
import { createMailOutbox } from '@platform/shared/platform/mail/mail-outbox';
import type { RedisClient } from '@platform/shared/redis/redis-client';
import { createLabelledAccountService } from './accounts-service.ts';
import { createLabelledAccountStore } from './accounts-store.ts';

type Dependencies = {
  /** The connection has the login of the owner. */
  database: Database;
  redis: RedisClient;
  log: Pick<Log, 'info'>;
};

const createStores = (database: Database, log: Pick<Log, 'info'>) => ({
  labelled: createLabelledAccountStore(database),
  accountChanges: createAccountChangeStore(database),
  audit: createAuditLog(database, log),
  outbox: createMailOutbox(database),
});

export const createLabelledAccountsFeature = ({ database, redis, log }: Dependencies) =>
  createLabelledAccountService({
    stores: createStores(database, log),
    inTransaction: createInTransaction(database, (transaction) => createStores(transaction, log)),
    removePendingChange: (userId) => removePendingChange(redis, userId),
  });
