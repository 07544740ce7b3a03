import { queryDatabase } from '@platform/shared/testing/query-database';
import { bulkLoad } from './bulk-load.ts';
import { AUDIT_TABLES, seedAuditLog } from './seed-audit-log.ts';
import { PROJECT_TABLES, seedProjects } from './seed-projects.ts';
import { FUNCTIONS } from './seed-sql.ts';
import { seedUsers, USER_TABLES } from './seed-users.ts';

/** The number of rows of the generated data. */
export type DatasetSize = { users: number; projects: number; teams: number; auditRecords: number };

/** Fills a migrated database with users, projects, teams and audit records. Each has even columns and columns that depend on age. */
export const seedDatabase = async (
  url: string,
  { users, projects, teams, auditRecords }: DatasetSize,
): Promise<void> => {
  await queryDatabase(url, FUNCTIONS);
  await bulkLoad(
    url,
    [...USER_TABLES, ...PROJECT_TABLES, ...AUDIT_TABLES],
    [seedUsers(users), [...seedProjects(projects, teams, users), ...seedAuditLog(auditRecords, users)]],
  );
};
