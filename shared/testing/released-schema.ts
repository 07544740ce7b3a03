import knexPackage from 'knex';
import { MIGRATIONS } from '../src/db/migrate.ts';

/** The newest migration of the last release. */
const RELEASED = '20261130-database-rights';

const split = MIGRATIONS.findIndex(({ name }) => name === RELEASED) + 1;

/** The migrations that run on the tables of the last release, which may be large. */
export const NEW_MIGRATIONS = MIGRATIONS.slice(split);

/** Migrates an empty database to the schema of the last release, without rights. */
export const migrateToReleasedSchema = async (url: string): Promise<void> => {
  const db = knexPackage.knex({ client: 'pg', connection: url, pool: { min: 0, max: 1 } });
  try {
    await db.migrate.latest({
      migrationSource: {
        getMigrations: async () => MIGRATIONS.slice(0, split),
        getMigrationName: ({ name }: (typeof MIGRATIONS)[number]) => name,
        getMigration: async ({ migration }: (typeof MIGRATIONS)[number]) => migration,
      },
    });
  } finally {
    await db.destroy();
  }
};
