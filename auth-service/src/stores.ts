import { createAuditLog, type LogAuditRecord } from '@platform/shared/audit/audit-log';
import type { Database, InTransaction as SharedInTransaction } from '@platform/shared/db/database';
import { createMailOutbox } from '@platform/shared/mail/mail-outbox';
import { createAccountStore } from './accounts/accounts-store.ts';
import { createRegistrationStore, createRoleStore } from './accounts/administrators-store.ts';
import { createOwnAccountStore } from './own-account/own-account-store.ts';
import { createPasskeyStore } from './passkeys/passkeys-store.ts';
import { createSecondFactorStore } from './second-factor/second-factor-store.ts';
import { createSessionStore } from './sessions/sessions-store.ts';
import { createTokenRecordStore } from './sessions/token-records-store.ts';

/** All stores of the service on one connection: the pool's, or a transaction's. */
export const createStores = (database: Database, logAuditRecord?: LogAuditRecord) => ({
  accounts: createAccountStore(database),
  sessions: createSessionStore(database),
  tokenRecords: createTokenRecordStore(database),
  ownAccount: createOwnAccountStore(database),
  secondFactor: createSecondFactorStore(database),
  passkeys: createPasskeyStore(database),
  outbox: createMailOutbox(database),
  registration: createRegistrationStore(database),
  roles: createRoleStore(database),
  audit: createAuditLog(database, logAuditRecord),
});

export type Stores = ReturnType<typeof createStores>;

export type InTransaction = SharedInTransaction<Stores>;
