import { ConfigError } from '@platform/shared/config/env';
import type { Knex } from 'knex';
import { retryWhileLocked } from './online-schema-change.ts';
import { readSqlFile } from './sql-files.ts';

/** The newest migration of the release that can be upgraded. Migrations ran in order, so it implies all others. */
const NEWEST_FORMER = '20261208-audit-day-totals';

/** Former migrations are named after a date, those since the baseline after their number. */
export const isFormer = (name: string): boolean => name.startsWith('2026');

/**
 * Upgrades a database of the former migrations to baseline.sql.
 * @param completed the former migrations that the database has
 * @throws ConfigError when it has not exactly those of the last release with them
 */
export const adoptFormerSchema = async (db: Knex, completed: readonly string[]): Promise<void> => {
  const newest = completed.at(-1);
  if (newest !== NEWEST_FORMER)
    throw new ConfigError(
      `The newest migration of this database is ${newest}; only a database with ${NEWEST_FORMER} as its newest can be ` +
        'upgraded. Run `npm run migrate` of commit 22576ba first, or start with an empty database',
    );
  const statements = (await readSqlFile('adopt.sql')).split(';\n').filter((text) => text.trim() !== '');
  // Not in transactions, in which no index can be dropped concurrently.
  await db.raw("set lock_timeout = '300ms'");
  for (const statement of statements) await retryWhileLocked(() => db.raw(statement));
  await db.raw('set lock_timeout = 0');
};
