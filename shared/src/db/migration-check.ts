import { AppError } from '../errors/app-error.ts';
import type { Log } from '../log/log.ts';
import { createErrorLog } from '../log/repeated-errors.ts';
import type { Database } from './database.ts';

/** The migrations that this release needs. */
export const MIGRATIONS = [
  '0001-schema',
  '0002-stays-signed-in',
  '0003-hourly-counts',
  '0004-administrator-names',
  '0005-time-zone',
  '0006-user-lists',
  '0007-requests-as-work',
  '0008-audit-records-without-sign-ins',
  '0009-user-search',
  '0010-audit-records-of-members',
  '0011-sign-in-orders-with-filters',
  '0012-audit-records-with-actions',
  '0013-tidy-names',
  '0014-accounts-of-contact-forms',
  '0015-search-texts',
];

/** A readiness check that fails, and logs what is missing, while the schema lacks a migration of this release. */
export const createMigrationCheck = (database: Database, log: Pick<Log, 'warn'>): (() => Promise<void>) => {
  const warn = createErrorLog(log, 'the schema is too old');
  let missing = MIGRATIONS;

  return async () => {
    // Migrations are never rolled back while processes run.
    if (missing.length === 0) return;
    try {
      const found: string[] = await database('knex_migrations').pluck('name');
      missing = MIGRATIONS.filter((name) => !found.includes(name));
    } catch (error) {
      // The check of Postgres reports an unavailable Postgres.
      if (error instanceof AppError) return;
      // An empty database has no table of migrations.
      warn(error);
      throw error;
    }
    if (missing.length === 0) return;
    const error = new Error(`The schema lacks migrations (npm run migrate): ${missing.join(', ')}`);
    warn(error);
    throw error;
  };
};
