import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { bulkLoad } from './bulk-load.ts';
import { BACK_OFFICE_TABLES, seedBackOffice, seedRecentRecords } from './seed-back-office.ts';
import { PROJECT_TABLES, seedProjects } from './seed-projects.ts';
import { type DatasetSize, FUNCTIONS } from './seed-sql.ts';
import { seedUsers, USER_TABLES } from './seed-users.ts';
import { createDatabase, ROOT } from './targets/processes.ts';

/**
 * Fills a migrated database with users, projects, teams, audit records and contact forms. Each table has evenly distributed
 * columns and columns that depend on age.
 */
export const seedDatabase = async (url: string, size: DatasetSize): Promise<void> => {
  await queryDatabase(url, FUNCTIONS);
  await bulkLoad(
    url,
    [...USER_TABLES, ...PROJECT_TABLES, ...BACK_OFFICE_TABLES],
    [seedUsers(size.users), [...seedProjects(size), seedRecentRecords(size)], seedBackOffice(size)],
  );
};

/** Creates another database on the server, migrates it as an operator does, and fills it. @returns its URL */
export const createSeededDatabase = async (
  serverUrl: string,
  name: string,
  size: DatasetSize,
): Promise<string> => {
  const databaseUrl = await createDatabase(serverUrl, name);
  const env = { PATH: process.env['PATH'], DATABASE_URL: databaseUrl };
  await promisify(execFile)(process.execPath, ['migrate/src/run-migrations.ts'], { cwd: ROOT, env });
  await seedDatabase(databaseUrl, size);
  return databaseUrl;
};
