import { createInTransaction, type Database } from '@platform/shared/db/database';
import type { Log } from '@platform/shared/log/log';
import { createAccountChangeStore } from '@platform/shared/platform/accounts/account-changes-store';
import { createAccountDataStore } from '@platform/shared/platform/accounts/account-data-store';
import { createTransactionsBy } from '@platform/shared/platform/accounts/administrator-transaction';
import { createAuditLog } from '@platform/shared/platform/audit/audit-log';
import { createMailOutbox } from '@platform/shared/platform/mail/mail-outbox';
import { createAuditLogStore } from './audit-log/audit-log-store.ts';
import { createContactEntryStore } from './contact/contact-entries-store.ts';
import { createContactList, createContactStore } from './contact/contact-store.ts';
import { createCreationStore } from './creations/creations-store.ts';
import { createEmployeeStore } from './employees/employees-store.ts';
import { createInvitationStore } from './invitations/invitations-store.ts';
import type { ListsFeature } from './lists/lists-feature.ts';
import { createUserMailList } from './mails/mails-of-user-store.ts';
import { createMailStore } from './mails/mails-store.ts';
import { createServiceMailStore } from './mails/service-mails-store.ts';
import { createNoteStore } from './notes/notes-store.ts';
import { createProjectList, createProjectStore } from './projects/projects-store.ts';
import { createStatisticsList } from './statistics/statistics-store.ts';
import { createTeamList, createTeamStore } from './teams/teams-store.ts';
import { createSecondFactorStore } from './user-access/second-factor-store.ts';
import { createUserIdentityStore } from './user-access/user-identities-store.ts';
import { createUserList } from './users/user-list-store.ts';
import { createUserSessionStore } from './users/user-sessions-store.ts';
import { createUserStore } from './users/users-store.ts';

/**
 * The stores on one connection, which is the pool's or a transaction's. Each store is created on first use.
 */
const createStores = (database: Database, log: Pick<Log, 'info'>) => ({
  get accountChanges() {
    return createAccountChangeStore(database);
  },
  get users() {
    return createUserStore(database);
  },
  get userSessions() {
    return createUserSessionStore(database);
  },
  get accountData() {
    return createAccountDataStore(database);
  },
  get userIdentities() {
    return createUserIdentityStore(database);
  },
  get notes() {
    return createNoteStore(database);
  },
  get secondFactors() {
    return createSecondFactorStore(database);
  },
  get creations() {
    return createCreationStore(database);
  },
  get projects() {
    return createProjectStore(database);
  },
  get teams() {
    return createTeamStore(database);
  },
  get employees() {
    return createEmployeeStore(database);
  },
  get contact() {
    return createContactStore(database);
  },
  get contactEntries() {
    return createContactEntryStore(database);
  },
  get invitations() {
    return createInvitationStore(database);
  },
  get mails() {
    return createMailStore(database);
  },
  get serviceMails() {
    return createServiceMailStore(database);
  },
  get outbox() {
    return createMailOutbox(database);
  },
  get audit() {
    return createAuditLog(database, log);
  },
});

/** The lists of the back office. They have separate connections, so transactions do not read them. */
const createListStores = ({ read, fetchPage }: ListsFeature) => ({
  users: createUserList(fetchPage),
  userMails: createUserMailList(read),
  projects: createProjectList(fetchPage),
  teams: createTeamList(fetchPage),
  contact: createContactList(fetchPage),
  auditLog: createAuditLogStore(read),
  statistics: createStatisticsList(read),
});

/** Runs work with stores on a transaction. Only the commands on the server use it as it is. */
export const bindTransactions = (database: Database, log: Pick<Log, 'info'>) =>
  createInTransaction(database, (transaction) => createStores(transaction, log));

/**
 * Creates the stores on the pool, the lists, and the functions that run a change with stores on a transaction. A
 * feature imports the types of the stores that it uses from their files, because this file imports all features.
 */
export const bindStores = (database: Database, log: Pick<Log, 'info'>, lists: ListsFeature) => ({
  stores: createStores(database, log),
  lists: createListStores(lists),
  ...createTransactionsBy(bindTransactions(database, log)),
});
