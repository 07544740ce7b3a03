import { createInTransaction, type Database } from '@platform/shared/db/database';
import type { Log } from '@platform/shared/log/log';
import { createAccountChangeStore } from '@platform/shared/platform/accounts/account-changes-store';
import { createAccountDataStore } from '@platform/shared/platform/accounts/account-data-store';
import { createAuditLog } from '@platform/shared/platform/audit/audit-log';
import { createMailOutbox } from '@platform/shared/platform/mail/mail-outbox';
import { createAccountStore } from './accounts/accounts-store.ts';
import { createFailureStore } from './guess-limits/failures-store.ts';
import { createImportStore } from './import/import-store.ts';
import { createInvitationStore } from './invitations/invitations-store.ts';
import { createIdentityStore } from './oidc/identities-store.ts';
import { createSecondFactorStore } from './second-factor/second-factor-store.ts';
import { createSessionStore } from './sessions/sessions-store.ts';
import { createTokenRecordStore } from './sessions/token-records-store.ts';
import { createPasskeyStore } from './webauthn/passkeys-store.ts';

/**
 * The stores on one connection, which is the pool's or a transaction's. Each store is created on first use.
 */
const createStores = (database: Database, log: Pick<Log, 'info'>) => ({
  get accounts() {
    return createAccountStore(database);
  },
  get accountChanges() {
    return createAccountChangeStore(database);
  },
  get failures() {
    return createFailureStore(database);
  },
  get sessions() {
    return createSessionStore(database);
  },
  get tokenRecords() {
    return createTokenRecordStore(database);
  },
  get ownAccount() {
    return createAccountDataStore(database);
  },
  get secondFactor() {
    return createSecondFactorStore(database);
  },
  get passkeys() {
    return createPasskeyStore(database);
  },
  get identities() {
    return createIdentityStore(database);
  },
  get invitations() {
    return createInvitationStore(database);
  },
  get imports() {
    return createImportStore(database);
  },
  get outbox() {
    return createMailOutbox(database);
  },
  get audit() {
    return createAuditLog(database, log);
  },
});

/**
 * Creates the stores on the pool, and a function that runs work with stores on a transaction. A feature imports
 * the types of the stores that it uses from their files, because this file imports all features.
 */
export const bindStores = (database: Database, log: Pick<Log, 'info'>) => ({
  stores: createStores(database, log),
  inTransaction: createInTransaction(database, (transaction) => createStores(transaction, log)),
});
