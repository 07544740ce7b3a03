import { queryDatabase } from '@platform/shared/testing/query-database';
import { bulkLoad } from './bulk-load.ts';
import { PROJECT_TABLES, seedProjects } from './seed-projects.ts';
import { type DatasetSize, FUNCTIONS } from './seed-sql.ts';
import { seedUsers, USER_TABLES } from './seed-users.ts';

/** Fills a migrated database with users, projects, teams and audit records. Each has even columns and columns that depend on age. */
export const seedDatabase = async (url: string, size: DatasetSize): Promise<void> => {
  await queryDatabase(url, FUNCTIONS);
  await bulkLoad(url, [...USER_TABLES, ...PROJECT_TABLES], [seedUsers(size.users), seedProjects(size)]);
};
