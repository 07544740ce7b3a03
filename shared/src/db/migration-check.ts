import { AppError } from '../errors/app-error.ts';
import type { Database } from './database.ts';

/** Migrations run in order, so this one implies all that this release needs. */
export const NEWEST_MIGRATION = '0001-baseline';

/** A readiness check: rejects while the schema lacks a migration of this release. */
export const createMigrationCheck = (database: Database): (() => Promise<void>) => {
  let isMigrated = false;

  return async () => {
    // Nothing rolls a migration back while processes run.
    if (isMigrated) return;
    try {
      const found = await database('knex_migrations').where({ name: NEWEST_MIGRATION }).first('name');
      isMigrated = found !== undefined;
    } catch (error) {
      // An unavailable Postgres is what the check of Postgres reports.
      if (error instanceof AppError) return;
      throw error;
    }
    if (!isMigrated) throw new Error(`The schema lacks the migration ${NEWEST_MIGRATION}`);
  };
};
