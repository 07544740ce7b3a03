import { createAuditLog, type LogAuditRecord } from '@platform/shared/audit/audit-log';
import type { Database, InTransaction as SharedInTransaction } from '@platform/shared/db/database';
import { createMailOutbox } from '@platform/shared/mail/mail-outbox';
import { createAuditLogStore } from './audit-log/audit-log-store.ts';
import { createContactStore } from './contact/contact-store.ts';
import { createProjectStore } from './projects/projects-store.ts';
import { createTeamStore } from './teams/teams-store.ts';
import { createSecondFactorStore } from './users/second-factor-store.ts';
import { createUserStore } from './users/users-store.ts';

/** Lists, searches and the audit log are read from `lists`, which may be a replica. */
export const createStores = (
  database: Database,
  { lists = database, logAuditRecord }: { lists?: Database; logAuditRecord?: LogAuditRecord } = {},
) => ({
  users: createUserStore(database, lists),
  secondFactors: createSecondFactorStore(database),
  projects: createProjectStore(database, lists),
  teams: createTeamStore(database, lists),
  contact: createContactStore(database),
  outbox: createMailOutbox(database),
  audit: createAuditLog(database, logAuditRecord),
  auditLog: createAuditLogStore(lists),
});

export type Stores = ReturnType<typeof createStores>;

export type InTransaction = SharedInTransaction<Stores>;
