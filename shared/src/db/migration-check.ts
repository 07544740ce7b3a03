import { AppError } from '../errors/app-error.ts';
import type { Database } from './database.ts';

/** Migrations run in order, so this one implies all migrations that this release needs. */
export const NEWEST_MIGRATION = '0001-schema';

/** A readiness check that fails while the schema lacks a migration of this release. */
export const createMigrationCheck = (database: Database): (() => Promise<void>) => {
  let isMigrated = false;

  return async () => {
    // Migrations are never rolled back while processes run.
    if (isMigrated) return;
    try {
      const found = await database('knex_migrations').where({ name: NEWEST_MIGRATION }).first('name');
      isMigrated = found !== undefined;
    } catch (error) {
      // The check of Postgres reports an unavailable Postgres.
      if (error instanceof AppError) return;
      throw error;
    }
    if (!isMigrated) throw new Error(`The schema lacks the migration ${NEWEST_MIGRATION}`);
  };
};
